import Trellis
import TrellisJSON

/// The name that the article on custom stores uses for the configuration.
typealias MyConfiguration = JSONFileConfiguration
