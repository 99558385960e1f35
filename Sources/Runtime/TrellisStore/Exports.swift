// Code that uses a store also needs models and schemas.
@_exported public import TrellisModel

#if TRELLIS_SANITIZED
  typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
