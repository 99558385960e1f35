// Stores are used with models and schemas, so the module below is exported.
@_exported public import TrellisModel

#if TRELLIS_SANITIZED
  typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
