import Foundation
import Trellis
import TrellisJSON

/// JSON files with custom text.
struct JSONFileFixture: Sendable {
  let scratch: Scratch
  let models: [any PersistentModel.Type]

  init(_ models: any PersistentModel.Type...) throws {
    scratch = try Scratch()
    self.models = models
  }

  var file: URL { scratch.file() }

  func container(allowsSave: Bool = true) throws -> ModelContainer {
    try ModelContainer(
      for: Schema(models), configurations: [JSONFileConfiguration(url: file, allowsSave: allowsSave)])
  }

  /// The error on opening the file; nil if it can be opened.
  func refusal() throws -> SwiftDataError? {
    do {
      _ = try container()
      return nil
    } catch let error as SwiftDataError {
      return error
    }
  }

  func write(_ models: String) throws { try write(bytes: Array(Self.document(models).utf8)) }
  func write(bytes: [UInt8]) throws { try Data(bytes).write(to: file) }

  static func document(_ models: String) -> String {
    "{\"format\":\"trellis models\",\"version\":1,\"identifier\":\"X\",\"models\":{\(models)}}"
  }

  var bytes: Data? { try? Data(contentsOf: file) }
  var text: String { bytes.map { String(decoding: $0, as: UTF8.self) } ?? "" }
}

/// A value stored as an array, of which the decoder reads two elements.
struct Pair: Codable, Hashable, Sendable {
  var x: Int
  var y: Int

  init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    x = try container.decode(Int.self)
    y = try container.decode(Int.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(x)
    try container.encode(y)
  }
}
