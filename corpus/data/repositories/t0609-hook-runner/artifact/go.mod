module hookrunner.example/runner

go 1.22
