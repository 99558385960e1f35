public import Foundation
public import Trellis

/// Where a ``JSONFileStore`` keeps its models.
///
///     let container = try ModelContainer(
///       for: Trip.self, configurations: JSONFileConfiguration(url: file))
///
/// Not in SwiftData, where a store of this kind is left to every program.
public struct JSONFileConfiguration: DataStoreConfiguration, EngineConfiguration, Sendable {
  /// The store the configuration is for.
  public typealias Store = JSONFileStore

  /// Names the configuration among those of its container. The name of the file when not given.
  public let name: String
  /// The models of the store; nil for all models of the container.
  public var schema: Schema?
  /// The file. It is made, with the folders it lies in, when the store is opened and saves first.
  public let url: URL
  /// Whether the store can be written. One that is only read takes no lock and shows the file as it
  /// was when it was opened.
  public let allowsSave: Bool
  /// What the store remembers of its changes, in `<name>.history` beside the file. Containers of one program
  /// share a file: the one that opens it first decides.
  public var history = ModelConfiguration.HistoryOptions()
  /// What saves do with values that others have saved meanwhile.
  public var conflictPolicy = ConflictPolicy.overwrite
  /// Receives every statement that the store runs in memory, as `ModelConfiguration.trace` does. Reading and writing
  /// the file are not statements; a statement that commits includes the time for writing it. Containers of one program
  /// share a file: the one that opens it first decides.
  public var trace: (@Sendable (TracedStatement) -> Void)? {
    get { listener.body }
    set { listener.body = newValue }
  }
  private var listener = TraceListener()

  /// A configuration for a file.
  ///
  /// - Parameters:
  ///   - name: names the configuration.
  ///   - schema: the models of the store; nil for all models of the container.
  ///   - url: the file.
  ///   - allowsSave: false for a store that is only read.
  public init(_ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true) {
    self.name = name ?? url.deletingPathExtension().lastPathComponent
    self.schema = schema
    self.url = url
    self.allowsSave = allowsSave
  }

  /// Checks that the store is to be in a file.
  ///
  /// - Throws: `SwiftDataError.loadIssueModelContainer` for any other URL.
  public func validate() throws {
    guard url.isFileURL, !url.lastPathComponent.isEmpty, url.lastPathComponent != "/" else {
      throw SwiftDataError.loadIssueModelContainer.explained(
        "'\(url)' is no file: give the configuration '\(name)' a URL made by 'URL(filePath:)'")
    }
  }
}
