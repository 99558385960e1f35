use zed_extension_api::{self as zed, LanguageServerId, Result};

struct TrellisExtension;

impl zed::Extension for TrellisExtension {
    fn new() -> Self {
        Self
    }

    fn language_server_command(
        &mut self,
        _language_server_id: &LanguageServerId,
        worktree: &zed::Worktree,
    ) -> Result<zed::Command> {
        let command = worktree.which("trellis").ok_or_else(|| {
            "'trellis' is not on the PATH: run './run install' in a checkout of Trellis".to_string()
        })?;
        Ok(zed::Command {
            command,
            args: vec!["lsp".to_string()],
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(TrellisExtension);
