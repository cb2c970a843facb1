templates_path = ["_templates"]
