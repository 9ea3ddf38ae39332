from setuptools import find_packages, setup

setup(
    name="region-guess",
    version="1.2.2",
    description="In which cloud region a process runs",
    package_dir={"": "src"},
    packages=find_packages("src"),
    python_requires=">=3.9",
    url="https://regionguess.example",
    license="MIT",
)
