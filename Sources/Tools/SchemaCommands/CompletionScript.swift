/// Shell scripts that complete verbs and options.
enum CompletionScript: String, CaseIterable {
  case bash, zsh, fish

  func text(_ verbs: [any Verb.Type]) -> String {
    switch self {
    case .bash: Self.bash(verbs)
    case .zsh: Self.zsh(verbs)
    case .fish: Self.fish(verbs)
    }
  }

  private static func bash(_ verbs: [any Verb.Type]) -> String {
    let names = verbs.map { $0.name }.joined(separator: " ")
    let options = verbs.map { verb in
      "    \(verb.name)) options=\"\(verb.described.map(\.name).joined(separator: " "))\" ;;\n"
    }.joined()
    let choices = verbs.flatMap { verb in
      verb.described.filter { !$0.choices.isEmpty }.map { option in
        "    \(verb.name)\\ \(option.name)) COMPREPLY=($(compgen -W \"\(option.choices.joined(separator: " "))\" -- \"$word\")); return ;;\n"
      }
    }.joined()
    return """
      # Completes 'trellis'. In ~/.bashrc: source <(trellis completion bash)
      _trellis() {
        local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" verb="${COMP_WORDS[1]}" options=""
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W "\(names)" -- "$word"))
          return
        fi
        case "$verb $before" in
      \(choices)  esac
        case "$verb" in
      \(options)  esac
        case "$word" in
          -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
          *) compopt -o filenames; COMPREPLY=($(compgen -f -- "$word")) ;;
        esac
      }
      complete -F _trellis trellis

      """
  }

  private static func zsh(_ verbs: [any Verb.Type]) -> String {
    func quoted(_ text: String) -> String {
      text.replacing("'", with: "'\\''").replacing("[", with: "\\[").replacing("]", with: "\\]")
        .replacing(":", with: "\\:")
    }
    let names = verbs.map { "    '\($0.name):\(quoted($0.summary))'\n" }.joined()
    let cases = verbs.map { verb in
      let options = verb.described.map { option in
        let action =
          option.value.map { value in
            ":\(value.lowercased()):"
              + (option.choices.isEmpty ? "_files" : "(\(option.choices.joined(separator: " ")))")
          } ?? ""
        return "      '*\(option.name)[\(quoted(option.summary))]\(action)'"
      }.joined(separator: " \\\n")
      return "    \(verb.name)) _arguments \\\n\(options) \\\n      '*:file:_files' ;;\n"
    }.joined()
    return """
      #compdef trellis
      # Completes 'trellis'. In a folder of $fpath: trellis completion zsh > _trellis
      _trellis() {
        local -a verbs
        verbs=(
      \(names)  )
        if (( CURRENT == 2 )); then
          _describe 'verb' verbs
          return
        fi
        local verb="${words[2]}"
        shift words
        (( CURRENT-- ))
        case "$verb" in
      \(cases)  esac
      }
      # A file of $fpath is the body of the function, and other texts define it.
      if [ "$funcstack[1]" = _trellis ]; then _trellis "$@"; else compdef _trellis trellis; fi

      """
  }

  private static func fish(_ verbs: [any Verb.Type]) -> String {
    func quoted(_ text: String) -> String {
      "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
    var lines = ["# Completes 'trellis': trellis completion fish > ~/.config/fish/completions/trellis.fish"]
    for verb in verbs {
      lines.append("complete -c trellis -n __fish_use_subcommand -f -a \(verb.name) -d \(quoted(verb.summary))")
      for option in verb.described {
        var line = "complete -c trellis -n '__fish_seen_subcommand_from \(verb.name)' -l \(option.name.dropFirst(2))"
        if option.value != nil {
          line += option.choices.isEmpty ? " -r" : " -x -a \(quoted(option.choices.joined(separator: " ")))"
        }
        if !option.summary.isEmpty { line += " -d \(quoted(option.summary))" }
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
