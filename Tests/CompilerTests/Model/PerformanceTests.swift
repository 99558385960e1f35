import Foundation
import SchemaDiagnostics
import SchemaModel
import TestSupport
import Testing

@Suite struct PerformanceTests {
  /// Returns the CPU time that a closure takes on this thread, which excludes other tests and processes.
  static func time(_ body: () -> Void) -> Duration {
    func now() -> Duration {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return .seconds(Int(time.tv_sec)) + .nanoseconds(Int(time.tv_nsec))
    }
    let start = now()
    body()
    return now() - start
  }

  /// A thousand models with ten properties each. The limit allows for a debug build on a busy machine; a release build
  /// takes a tenth of a second.
  @Test func aThousandModels() {
    var text = "schema Big 1.0.0\n"
    for model in 0..<1000 {
      let next = (model + 1) % 1000
      let previous = (model + 999) % 1000
      text += """
        /// Model number \(model).
        @Model class Model\(model) {
          #Index<Model\(model)>([\\.name], [\\.date, \\.count])
          @Attribute(.unique) var name: String
          var date: Date = Date.now
          var count: Int = \(model)
          var price: Double?
          var flag: Bool = false
          @Attribute(.externalStorage, originalName: "blob") var data: Data?
          var kind: Kind = .first
          var tags: [String] = []
          @Relationship(deleteRule: .cascade, inverse: \\Model\(next).parent)
          var children: [Model\(next)] = []
          var parent: Model\(previous)?
        }

        """
    }
    text += "enum Kind: String, Codable { case first, second }\n"
    let file = SourceFile(path: "Big.schema", text: text)
    var compilation: SchemaCompilation?
    let time = Self.time { compilation = SchemaCompiler.compile([file]) }
    #expect(compilation?.diagnostics == [])
    #expect(compilation?.schemas.first?.entities.count == 1000)
    #expect(time < .seconds(4), "\(time)")
  }

  /// Every type is unknown and similar to a known type. Suggestions must not take quadratic time.
  @Test(.enabled(if: Repetitions.isThorough)) func thousandsOfUnknownTypes() {
    func compile(_ models: Int) -> Duration {
      var text = "schema Big 1.0.0\n"
      for model in 0..<models {
        text += "@Model class Model\(model)A { var x: Int; var y: Madel\(model)B }\n"
      }
      let file = SourceFile(path: "Big.schema", text: text)
      var count = 0
      let time = Self.time { count = SchemaCompiler.compile([file]).diagnostics.count }
      #expect(count == models)
      return time
    }
    let (small, large) = (compile(500), compile(2000))
    // Linear time is four times as long, quadratic time sixteen times. The constant covers a busy machine.
    #expect(large < small * 9 + .milliseconds(500), "\(small), then \(large)")
  }
}
