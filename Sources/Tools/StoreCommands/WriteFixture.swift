import Foundation
package import SchemaCommands
package import SchemaDriver
package import SchemaFixtures
import SchemaModel
import SchemaVersions

/// `trellis-store fixture`.
package enum WriteFixture: VerbImplementation {
  package typealias Description = Fixture

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    if let store = arguments["--store"] ?? arguments["--output"], case .database = StoreAddress(store, session) {
      throw StoreAddress.refusal(of: name)
    }
    if arguments["--store"] != nil || arguments["--schema"] != nil {
      throw DriverFailure(
        ["error: '--store' and '--schema' apply to databases; use '--output PATH' for a file"], .usage)
    }
    let found = try requestedVersions(arguments, session)
    let targets = try StoreTarget.targets(
      for: found.map(\.title), arguments["--output"], isForced: arguments.has("--force"), session)
    for target in targets { try target.check() }
    // Create all fixtures before the first write, so that an error leaves no files.
    let fixtures = try found.map { try fixture(of: $0, arguments) }
    for (fixture, (found, target)) in zip(fixtures, zip(found, targets)) {
      session.note("writing \(found.version.name) \(found.version.version)\n")
      do {
        try target.write { try fixture.write(to: $0) }
      } catch let failure as DriverFailure {
        throw failure
      } catch {
        throw DriverFailure(["error: \(target.path): \(error)"], .usage)
      }
      report(fixture, of: found, at: target.path, &session)
    }
    return .clean
  }

  /// Returns the versions that the arguments name; by default, the heads.
  package static func requestedVersions(_ arguments: Arguments, _ session: Session) throws -> [RequestedVersion.Found] {
    let wanted = arguments.files.compactMap(RequestedVersion.init)
    let folders = try SchemaFolder.open(arguments.files.filter { RequestedVersion($0) == nil }, session)
    for folder in folders { try folder.requireCompiled() }
    return try RequestedVersion.find(wanted.isEmpty ? [.head] : wanted, folders)
  }

  /// Creates the rows for a version.
  ///
  /// - Parameter keepsNullCharacters: False if text values in the store cannot contain U+0000.
  package static func fixture(
    of found: RequestedVersion.Found, _ arguments: Arguments, keepsNullCharacters: Bool = true
  ) throws -> SchemaFixture {
    let rows = try number("--rows", arguments, 0...1_000_000) ?? 24
    let seed = try number("--seed", arguments, 0...Int.max) ?? 1
    do throws(FixtureRefusal) {
      return try SchemaFixture(
        found.version, of: found.history, files: found.folder.project.files,
        module: arguments["--module"] ?? found.module, rows: rows, seed: UInt64(seed),
        keepsNullCharacters: keepsNullCharacters)
    } catch {
      throw DriverFailure(["error: \(found.version.name) \(found.version.version): \(error)"], .findings)
    }
  }

  /// Prints a line for a written fixture.
  package static func report(
    _ fixture: SchemaFixture, of found: RequestedVersion.Found, at place: String, _ session: inout Session
  ) {
    let counts = fixture.counts.map { "\($0.model) \($0.rows)" }.joined(separator: ", ")
    session.say("\(place): \(found.version.name) \(found.version.version), \(counts)\n")
  }

  private static func number(
    _ name: String, _ arguments: Arguments, _ range: ClosedRange<Int>
  ) throws(DriverFailure) -> Int? {
    guard let text = arguments[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw DriverFailure(
        ["error: '\(name)' must be an integer from \(range.lowerBound) to \(range.upperBound)"], .usage)
    }
    return number
  }
}
