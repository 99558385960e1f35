extension CoreDataWriter {
  mutating func attributes(of entity: CoreDataEntity) -> [(String, Int)] {
    let numbers = entity.attributes.filter { $0.isOptional && $0.isScalar && $0.type != "Date" && !$0.isTransient }
    if !numbers.isEmpty {
      let names = numbers.map { "'\($0.name)'" }.joined(separator: ", ")
      note(
        .hint, .optionalNumber, entity.line,
        "\(names) of '\(entity.name)' can be nil, which the app reads as 0 or false; remove the '?' "
          + "if nil has no meaning")
    }
    return entity.attributes.flatMap { attribute in
      lines(of: attribute, in: entity.name, isField: false).map { ($0, attribute.line) }
    }
  }

  /// - Parameter isField: True for a field in a composite type, which has no options.
  mutating func lines(of attribute: CoreDataAttribute, in owner: String, isField: Bool) -> [String] {
    let title = "\(owner).\(attribute.name)"
    note(attribute.unknown)
    var lines = userInfo(attribute.userInfo, of: title, attribute.line) + validation(attribute, title)
    remark(attribute, title)
    let (type, problem) = CoreDataType.of(attribute, title, besides: types)
    if let expression = attribute.derivation {
      note(
        .notCarried, .derived, attribute.line,
        "'\(title)' is derived from '\(expression)'; write a computed property in an extension")
      return lines + [
        "// Not carried over: derived from '\(CoreDataSpelling.line(expression))'",
        "// var \(CoreDataSpelling.line(attribute.name)): \(type?.name ?? attribute.type)",
      ]
    }
    guard let type else {
      if let problem { note(.notCarried, problem.0, attribute.line, problem.1) }
      return lines + [
        "// Not carried over: type '\(CoreDataSpelling.line(attribute.type))' "
          + "of '\(CoreDataSpelling.line(attribute.name))'"
      ]
    }
    guard let name = CoreDataSpelling.name(attribute.name) else {
      note(.notCarried, .name, attribute.line, "'\(title)' is not a valid Swift property name")
      return lines + ["// Not carried over: the name '\(CoreDataSpelling.line(attribute.name))'"]
    }
    if let remark = type.remark { note(remark.kind, remark.topic, attribute.line, remark.message) }
    let options = isField ? [] : options(attribute, type, owner)
    var line = options.isEmpty ? "" : "@Attribute(\(options.joined(separator: ", "))) "
    line += "var \(name): \(type.name)\(attribute.isOptional ? "?" : "")"
    switch CoreDataDefault(attribute) {
    case .none: break
    case .value(let value): line += " = \(value)"
    case .unwritable(let text):
      note(
        .notCarried, .defaultValue, attribute.line,
        "the default '\(text)' of '\(title)' is not supported for '\(type.name)'")
      lines.append("// Not carried over: the default '\(CoreDataSpelling.line(text))'")
    }
    return lines + [line]
  }

  private func options(_ attribute: CoreDataAttribute, _ type: CoreDataType, _ owner: String) -> [String] {
    var options = [type.option].compactMap { $0 }
    if attribute.isExternal { options.append(".externalStorage") }
    // Core Data tracks changes to transient attributes.
    if attribute.isTransient { options.append(".ephemeral") }
    if attribute.isPreserved, !attribute.isTransient { options.append(".preserveValueOnDeletion") }
    if attribute.isSpotlight { options.append(".spotlight") }
    if attribute.isEncrypted { options.append(".allowsCloudEncryption") }
    if let original = renames.properties[owner]?[attribute.name] {
      options.append("originalName: \(CoreDataSpelling.literal(original))")
    }
    if let modifier = attribute.identity.hashModifier {
      options.append("hashModifier: \(CoreDataSpelling.literal(modifier))")
    }
    return options
  }

  /// Returns comments for the validation rules that Core Data applies on save.
  private mutating func validation(_ attribute: CoreDataAttribute, _ title: String) -> [String] {
    let isText = attribute.type == "String"
    let rules = [
      attribute.minimum.map { isText ? "at least \($0) characters" : "at least \($0)" },
      attribute.maximum.map { isText ? "at most \($0) characters" : "at most \($0)" },
      attribute.pattern.map { "matches \($0)" },
    ].compactMap { $0 }
    guard !rules.isEmpty else { return [] }
    let text = rules.joined(separator: ", ")
    note(
      .notCarried, .validation, attribute.line,
      "'\(title)' has validation rules that the app must now check: \(text)")
    return ["// Not carried over: validation rules: \(CoreDataSpelling.line(text))"]
  }

  private mutating func remark(_ attribute: CoreDataAttribute, _ title: String) {
    if attribute.isSpotlight {
      note(
        .check, .spotlight, attribute.line, "'\(title)' is indexed by Spotlight; '.spotlight' has no effect here")
    }
    if attribute.isEncrypted {
      note(
        .check, .cloudEncryption, attribute.line,
        "'\(title)' is encrypted in CloudKit; the store is not encrypted")
    }
    if attribute.isInRecordFile {
      note(.notCarried, .recordFile, attribute.line, "'\(title)' is also stored in an external record file")
    }
    if !attribute.isSyncable {
      note(.notCarried, .notSynced, attribute.line, "'\(title)' is excluded from synchronization")
    }
    if attribute.isTransient, attribute.isPreserved {
      note(
        .notCarried, .unknown, attribute.line,
        "'\(title)' is transient, so values cannot be preserved after deletion")
    }
  }
}
