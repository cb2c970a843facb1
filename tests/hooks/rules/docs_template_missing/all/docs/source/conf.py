import os

templates_path = ["_templates", os.path.join("theme", "templates")]
