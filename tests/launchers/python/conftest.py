pytest_plugins = ["svctest"]
