/// The name that the article on custom stores uses for the configuration. `run.sh` copies the store.
typealias MyConfiguration = JSONFileConfiguration
