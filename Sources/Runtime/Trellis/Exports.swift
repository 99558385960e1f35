// The three modules of the library are imported as one.
@_exported public import TrellisStore
