// Apps import the modules of the library as one.
@_exported public import TrellisStore

#if TRELLIS_SANITIZED
  typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
