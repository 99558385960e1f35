import Foundation

/// The sample application. It stores trips; the models are declared in `Schemas/SampleTrips/SampleTrips.schema`.
public enum Trips {
  static var verbs: [any Verb.Type] {
    [
      Import.self, List.self, Search.self, Show.self, Add.self, Confirm.self, Delete.self,
      Stats.self, Unread.self, Watch.self, Vintage.self,
    ]
  }

  /// Executes the process's command line and exits.
  public static func main() -> Never {
    exit(run(Array(CommandLine.arguments.dropFirst()), console: .standard))
  }

  /// Executes a command line and returns the exit status.
  static func run(_ words: [String], console: Console, now: Date = Date()) -> Int32 {
    do {
      guard let name = words.first else {
        console.error(overview)
        return Failure.Status.usage.rawValue
      }
      if ["help", "--help", "-h"].contains(name) {
        console.out(try words.dropFirst().first.map { try help(find($0)) } ?? overview)
        return 0
      }
      let verb = try find(name)
      let arguments = try Arguments(words.dropFirst(), options: verb.options + [.store])
      if arguments.wantsHelp {
        console.out(help(verb))
        return 0
      }
      let session = Session(console: console, store: arguments["--store"], now: now)
      try verb.init(arguments).run(session)
      return 0
    } catch let failure as Failure {
      console.report(failure)
      return failure.status.rawValue
    } catch {
      console.report(Failure(message: "\(error)"))
      return Failure.Status.failed.rawValue
    }
  }

  private static func find(_ name: String) throws -> any Verb.Type {
    if let verb = verbs.first(where: { $0.name == name }) { return verb }
    let nearest = Suggestion.nearest(to: name, in: verbs.map { $0.name })
    throw Failure.usage(
      "unknown verb '\(name)'",
      hint: nearest.map { "did you mean 'trips \($0)'?" } ?? "'trips help' lists all verbs")
  }
}

extension Trips {
  private static var overview: String {
    let width = verbs.map { $0.name.count + $0.operands.count }.max() ?? 0
    let lines = verbs.map { verb in
      let usage = [verb.name, verb.operands].filter { !$0.isEmpty }.joined(separator: " ")
      return "  \(usage.padding(toLength: width + 3, withPad: " ", startingAt: 0))\(verb.summary)\n"
    }
    return """
      Keeps track of trips: plans, places to stay and bucket lists.

      Usage: trips VERB … [--store PATH]

      \(lines.joined())
      'trips VERB --help' describes a verb.

      """
  }

  private static func help(_ verb: any Verb.Type) -> String {
    let usage = ["trips", verb.name, verb.operands, "[options]"].filter { !$0.isEmpty }
    let names = (verb.options + [.store]).map {
      ([$0.name] + [$0.value].compactMap(\.self)).joined(separator: " ")
    }
    let width = (names.map(\.count).max() ?? 0) + 3
    var text = "\(verb.summary.prefix(1).uppercased())\(verb.summary.dropFirst()).\n"
    if !verb.discussion.isEmpty { text += "\n\(verb.discussion)\n" }
    text += "\nUsage: \(usage.joined(separator: " "))\n\nOptions:\n"
    for (name, option) in zip(names, verb.options + [.store]) {
      text += "  \(name.padding(toLength: width, withPad: " ", startingAt: 0))\(option.summary)\n"
    }
    text += "\nFor example:\n" + verb.examples.map { "  trips \($0)\n" }.joined()
    return text
  }
}
