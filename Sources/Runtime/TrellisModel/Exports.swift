// Files that import Trellis can use predicates, dates and observation, as with SwiftData.
@_exported public import Foundation
@_exported public import Observation
// `SQLiteError` and `TracedStatement`.
@_exported public import TrellisSQLite

#if TRELLIS_SANITIZED
  typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif
