from setuptools import find_packages, setup

setup(
    name="job-meter",
    version="1.5.0",
    description="Time the steps of batch jobs",
    package_dir={"": "src"},
    packages=find_packages("src"),
    python_requires=">=3.9",
    url="https://jobmeter.example",
    license="MIT",
)
