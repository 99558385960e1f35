import Foundation
import TestSupport
import Testing

@testable import MacroExpansion

/// Tests with messages that the Swift 6.3 compiler sent.
@Suite struct ProtocolTests {
  private static func message(_ name: String) throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    return try Array(Data(contentsOf: folder.appending(path: "Messages/\(name).json")))
  }

  private static func answer(_ message: [UInt8]) throws -> [String: any Sendable] {
    let object = try JSONSerialization.jsonObject(with: Data(MacroHost.answer(message)))
    return try #require(object as? [String: any Sendable])
  }

  @Test func capability() throws {
    let result = try #require(Self.answer(Self.message("capability"))["getCapabilityResult"] as? [String: any Sendable])
    let capability = try #require(result["capability"] as? [String: any Sendable])
    #expect(capability["protocolVersion"] as? Int == 7)
  }

  @Test(arguments: [
    ("predicate", "Foundation::Predicate({ __input1 in"),
    ("expression", "Foundation::Expression<Trip, Int>({ __input1 in"),
  ]) func expansion(_ name: String, _ beginning: String) throws {
    let result = try #require(Self.answer(Self.message(name))["expandMacroResult"] as? [String: any Sendable])
    let source = try #require(result["expandedSource"] as? String)
    #expect(source.hasPrefix(beginning), "\(source)")
    #expect((result["diagnostics"] as? [any Sendable])?.isEmpty == true)
  }

  /// A mistake is reported at its offset in the file.
  @Test func errorMessage() throws {
    let text = String(decoding: try Self.message("predicate"), as: UTF8.self).replacing(
      "$0.count > 3", with: "$0.count & 3")
    let result = try #require(Self.answer(Array(text.utf8))["expandMacroResult"] as? [String: any Sendable])
    let diagnostics = try #require(result["diagnostics"] as? [[String: any Sendable]])
    let position = try #require(diagnostics.first?["position"] as? [String: any Sendable])
    let message = try JSONDecoder().decode(CompilerMessage.self, from: Data(text.utf8))
    guard case .expandFreestanding(let request) = message else { throw Unexpected() }
    let place = try #require(request.syntax.source.range(of: "$0.count"))
    let offset = request.syntax.source.utf8.distance(from: request.syntax.source.startIndex, to: place.lowerBound)
    #expect(position["offset"] as? Int == request.syntax.location.offset + offset)
    #expect(diagnostics.count == 1 && result["expandedSource"] == nil)
  }

  struct Unexpected: Error {}

  /// Unknown and malformed messages are answered as well.
  @Test(arguments: [
    #"{"expandAttachedMacro":{"macro":{"moduleName":"M","typeName":"Later","name":"x"},"attributeSyntax":{"source":"","location":{"fileName":"a","offset":1}}}}"#,
    #"{"expandFreestandingMacro":{"macro":{"moduleName":"M","typeName":"Later","name":"x"},"syntax":{"source":"","location":{"fileName":"a","offset":1}}}}"#,
    #"{"later":{}}"#, "", "{", "[]", "null",
  ]) func unknownMessage(_ message: String) throws {
    #expect(try Self.answer(Array(message.utf8))["expandMacroResult"] != nil)
  }

  @Test func library() throws {
    let message = #"{"loadPluginLibrary":{"libraryPath":"x","moduleName":"y"}}"#
    let result = try #require(Self.answer(Array(message.utf8))["loadPluginLibraryResult"] as? [String: any Sendable])
    #expect(result["loaded"] as? Bool == false)
  }

  /// No message stops the process.
  @Test func mutations() throws {
    let seed = SeededGenerator.seed(otherwise: 1)
    let rounds = Repetitions.scaled(4_000)
    var random = SeededGenerator(seed: seed)
    let locations = #""location":{"fileName":"a.swift","offset":7}"#
    let macro = #""macro":{"moduleName":"TrellisMacros","typeName":"PredicateMacro","name":"Predicate"}"#
    var grammar = RandomExpression(seed: seed)
    var answers = 0
    for _ in 0..<rounds {
      var source = Array(grammar.source().utf8)
      for _ in 0..<Int.random(in: 0...4, using: &random) where !source.isEmpty {
        let place = Int.random(in: 0..<source.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: source.remove(at: place)
        case 1:
          source.insert(
            contentsOf: Array("{}()[]<>?!.,:;\"\\#/=&|$@`\n0a".utf8).shuffled(using: &random).prefix(1), at: place)
        case 2: source[place] = UInt8.random(in: 0...255, using: &random)
        default: source.removeSubrange(place..<min(source.count, place + 12))
        }
      }
      let text = String(decoding: source, as: UTF8.self)
      let quoted = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
      var message = Array(
        "{\"expandFreestandingMacro\":{\(macro),\"syntax\":{\"source\":\(quoted),\(locations)}}}".utf8)
      if Int.random(in: 0..<10, using: &random) == 0 {
        message[Int.random(in: 0..<message.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if !MacroHost.answer(message).isEmpty { answers += 1 }
    }
    #expect(answers == rounds, "seed \(seed)")
  }
}
