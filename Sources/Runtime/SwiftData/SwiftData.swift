#if !canImport(ObjectiveC)
  // Where Apple's module does not exist, this module lets code that imports SwiftData compile unchanged: it re-exports
  // Trellis and the macros and uses the defaults of Apple's platforms.
  @_exported public import Trellis
#endif
