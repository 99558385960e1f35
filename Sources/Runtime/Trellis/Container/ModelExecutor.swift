/// Runs the code that uses a context.
public protocol ModelExecutor: Executor {
  /// The context; to be used by code that runs on this executor only.
  var modelContext: ModelContext { get }
}

/// Runs the code that uses a context, one piece after the other.
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}
