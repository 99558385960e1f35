#if !canImport(ObjectiveC)
  // On platforms that lack Apple's SwiftData, this module lets code that imports SwiftData compile unchanged. It
  // re-exports Trellis and the macros and uses the same defaults as Apple's platforms.
  @_exported public import Trellis
#endif
