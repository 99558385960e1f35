// Foundation has it on Apple platforms only.
extension String { init(localized key: String) { self = key } }
