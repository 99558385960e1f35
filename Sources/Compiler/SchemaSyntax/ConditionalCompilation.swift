import SchemaDiagnostics

/// Evaluates `#if` conditions in Swift source.
package enum ConditionalCompilation {
  /// Returns the file with spaces in place of the branches that are not compiled, and of the directives around compiled
  /// branches.
  ///
  /// The remaining bytes keep the same offsets. Branches whose conditions depend on the build are preserved. Around
  /// models, `swift` is evaluated for language mode 6, and generated code verifies that the target uses that mode.
  package static func resolved(_ source: SwiftFile) -> SwiftFile {
    var assumesLatestMode = false
    var blank: [Range<Int>] = []
    var open: [Chain] = []
    for token in source.tokens.indices where source.tokens[token].kind == .directive {
      let word = source.text(token)
      guard ["#if", "#elseif", "#else", "#endif"].contains(word) else { continue }
      let line = directive(token, source)
      if word == "#if" { open.append(Chain()) }
      guard var chain = open.popLast() else { continue }
      chain.end(at: line.lowerBound)
      chain.directives.append(line)
      switch word {
      case "#endif":
        blank += chain.blank
        continue
      case "#else": chain.begin(true, at: line.upperBound)
      default:
        let tokens = tokens(of: line, behind: token, source)
        var value = Condition(source, tokens).value
        if value == nil, surroundsModel(token, source) {
          value = Condition(source, tokens, isLatestMode: true).value
          if value != nil { assumesLatestMode = true }
        }
        chain.begin(value, at: line.upperBound)
      }
      open.append(chain)
    }
    var resolved = source.blanking(blank)
    resolved.assumesLatestMode = assumesLatestMode
    return resolved
  }

  /// Returns the source ranges of the directives, including conditions.
  package static func directives(_ source: SwiftFile) -> [Range<Int>] {
    source.tokens.indices.filter { ["#if", "#elseif", "#else", "#endif"].contains(source.text($0)) }.map {
      directive($0, source)
    }
  }

  /// True if there is a model between a directive and the matching `#endif`.
  private static func surroundsModel(_ directive: Int, _ source: SwiftFile) -> Bool {
    var depth = 1
    for token in source.tokens.indices[(directive + 1)...] {
      switch source.text(token) {
      case "#if": depth += 1
      case "#endif": depth -= 1
      case "Model":
        if source.tokens[token - 1].kind == .at { return true }
        // `@SwiftData.Model`
        if source.tokens[token - 1].kind == .period, token > 2, source.tokens[token - 3].kind == .at { return true }
      default: break
      }
      if depth == 0 { return false }
    }
    return false
  }

  /// Returns the bytes of a directive and its condition, up to the end of the line.
  private static func directive(_ token: Int, _ source: SwiftFile) -> Range<Int> {
    var last = token
    while last + 1 < source.tokens.count - 1, !source.tokens[last + 1].startsLine { last += 1 }
    return Int(source.tokens[token].start)..<Int(source.tokens[last].end)
  }

  private static func tokens(of line: Range<Int>, behind token: Int, _ source: SwiftFile) -> [Int] {
    Array(source.tokens.indices[(token + 1)...].prefix { Int(source.tokens[$0].end) <= line.upperBound }).filter {
      source.tokens[$0].kind != .endOfFile
    }
  }

  /// A chain of branches: `#if … #elseif … #else … #endif`.
  private struct Chain {
    var directives: [Range<Int>] = []
    private var branches: [(bytes: Range<Int>, isCompiled: Bool?)] = []
    private var current: (start: Int, isCompiled: Bool?)?
    /// True if one of the branches so far is compiled, or nil if that depends on the build.
    private var isDecided: Bool? = false

    mutating func begin(_ condition: Bool?, at start: Int) {
      let isCompiled: Bool? =
        switch (isDecided, condition) {
        case (true, _), (_, false): false
        case (false, true): true
        default: nil
        }
      current = (start, isCompiled)
      if condition == true || isDecided == true {
        isDecided = true
      } else if condition == nil {
        isDecided = nil
      }
    }

    mutating func end(at end: Int) {
      if let current { branches.append((current.start..<end, current.isCompiled)) }
      current = nil
    }

    /// The bytes that are not compiled. Directives are preserved around branches that depend on the build.
    var blank: [Range<Int>] {
      branches.filter { $0.isCompiled == false }.map(\.bytes)
        + (branches.allSatisfy { $0.isCompiled != nil } ? directives : [])
    }
  }
}

/// An `#if` condition. The value is nil if it depends on the build.
private struct Condition {
  private let source: SwiftFile
  private let isLatestMode: Bool
  private var rest: ArraySlice<Int>
  private var isComplete = true
  private(set) var value: Bool?

  /// - Parameter isLatestMode: False if the language mode is unknown.
  init(_ source: SwiftFile, _ tokens: [Int], isLatestMode: Bool = false) {
    self.source = source
    self.isLatestMode = isLatestMode
    rest = tokens[...]
    value = disjunction()
    if !rest.isEmpty || !isComplete { value = nil }
  }

  private mutating func take(_ text: String) -> Bool {
    guard let first = rest.first, source.text(first) == text else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func disjunction() -> Bool? {
    var value = conjunction()
    while take("||") {
      let other = conjunction()
      value = value == true || other == true ? true : value == nil || other == nil ? nil : false
    }
    return value
  }

  private mutating func conjunction() -> Bool? {
    var value = term()
    while take("&&") {
      let other = term()
      value = value == false || other == false ? false : value == nil || other == nil ? nil : true
    }
    return value
  }

  private mutating func term() -> Bool? {
    if take("!") { return term().map { !$0 } }
    if take("(") {
      let value = disjunction()
      isComplete = take(")") && isComplete
      return value
    }
    guard let first = rest.popFirst() else {
      isComplete = false
      return nil
    }
    let word = source.text(first)
    guard take("(") else { return word == "true" ? true : word == "false" ? false : nil }
    var argument: [String] = []
    var depth = 1
    while let next = rest.popFirst() {
      let text = source.text(next)
      depth += text == "(" ? 1 : text == ")" ? -1 : 0
      if depth == 0 { return call(word, argument) }
      argument.append(text)
    }
    isComplete = false
    return nil
  }

  private func call(_ word: String, _ argument: [String]) -> Bool? {
    switch word {
    case "canImport":
      guard let module = argument.first else { return nil }
      if Self.appleModules.contains(module) { return false }
      // A submodule name or a version may follow.
      return argument.count == 1 && Self.modules.contains(module) ? true : nil
    case "os": return argument == ["Linux"]
    case "targetEnvironment": return false
    // The minimum compiler version for Trellis.
    case "compiler": return Self.compare([6, 3], orLater: true, with: argument.joined())
    case "swift":
      let latest = Self.compare([6, 3], orLater: true, with: argument.joined())
      // The result in language mode 5.
      let former = Self.compare([5, 10], orLater: false, with: argument.joined())
      return isLatestMode || latest == former ? latest : nil
    default: return nil
    }
  }

  /// Evaluates a condition such as `>=6.1` or `<6.1` for a version. If `orLater` is true, the version may also be
  /// later: returns nil if the result would then be different.
  private static func compare(_ version: [Int], orLater: Bool, with condition: String) -> Bool? {
    let numbers = condition.drop { "<>=".contains($0) }.split(separator: ".").map { Int($0) ?? .max }
    guard !numbers.isEmpty, condition.hasPrefix(">=") || condition.hasPrefix("<") else { return nil }
    let isReached = !version.lexicographicallyPrecedes(numbers)
    return isReached || !orLater ? condition.hasPrefix(">=") == isReached : nil
  }

  /// Modules that every target with models can import.
  private static let modules = """
    Dispatch Distributed Foundation FoundationEssentials FoundationInternationalization FoundationNetworking \
    FoundationXML Observation RegexBuilder Swift SwiftData Synchronization Trellis
    """.words
  /// Apple's modules, which cannot be imported. Any other module may be a dependency of the target: `trellis check`
  /// cannot tell.
  private static let appleModules = """
    Accelerate ActivityKit AlarmKit AppIntents AppKit AppTrackingTransparency ARKit AudioToolbox \
    AuthenticationServices AVFAudio AVFoundation AVKit BackgroundAssets BackgroundTasks CallKit CarPlay Charts \
    ClockKit CloudKit Cocoa Combine CommonCrypto Contacts ContactsUI CoreAudio CoreBluetooth CoreData CoreGraphics \
    CoreHaptics CoreImage CoreLocation CoreLocationUI CoreMedia CoreML CoreMotion CoreNFC CoreServices CoreSpotlight \
    CoreTelephony CoreText CoreTransferable CoreVideo CreateML CryptoKit Darwin DeveloperToolsSupport DeviceActivity \
    DeviceCheck EventKit EventKitUI ExtensionKit FamilyControls FileProvider FinanceKit FoundationModels \
    GameController GameKit GameplayKit GroupActivities HealthKit HealthKitUI HomeKit ImageIO ImagePlayground IntentsUI \
    IOKit JavaScriptCore JournalingSuggestions LinkPresentation LocalAuthentication ManagedSettings MapKit MediaPlayer \
    MessageUI Metal MetalKit MetricKit MultipeerConnectivity MusicKit NaturalLanguage NearbyInteraction \
    NotificationCenter ObjectiveC os OSLog PassKit PDFKit PencilKit PHASE Photos PhotosUI PushKit QuartzCore QuickLook \
    QuickLookThumbnailing RealityKit ReplayKit SafariServices SceneKit ScreenCaptureKit ScreenTime Security \
    SensitiveContentAnalysis SensorKit ServiceManagement ShazamKit simd SoundAnalysis SpriteKit StoreKit SwiftUI \
    SwiftUICore SystemConfiguration TabularData TipKit TVUIKit UIKit UniformTypeIdentifiers UserNotifications \
    UserNotificationsUI VideoToolbox Vision VisionKit WatchConnectivity WatchKit WeatherKit WebKit WidgetKit \
    WorkoutKit
    """.words
}
