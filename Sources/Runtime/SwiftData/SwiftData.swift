#if !canImport(ObjectiveC)
  // Programs that import SwiftData compile without changes where Apple's module does not exist: this one has the names
  // of Trellis, its macros, and the defaults of Apple's platforms where they differ.
  @_exported public import Trellis
#endif
