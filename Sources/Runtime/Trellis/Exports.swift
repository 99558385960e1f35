// Apps import all modules of the library through this one.
@_exported public import TrellisStore

#if TRELLIS_SANITIZED
  typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
