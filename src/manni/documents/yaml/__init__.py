"""YAML 1.2 front matter: values, places, and a diagnosis of what is no YAML."""
