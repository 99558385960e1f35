@_exported public import TrellisModel
