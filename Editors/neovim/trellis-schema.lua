-- Trellis schema files: the file type, highlighting, and the language server 'trellis lsp'.
-- Needs Neovim 0.7.2 or later, and no plugins.

local group = vim.api.nvim_create_augroup('trellis-schema', { clear = true })

if vim.fn.has('nvim-0.8') == 1 then
  vim.filetype.add({ extension = { schema = 'trellis-schema' } })
else
  -- Neovim 0.7 calls filetype.lua only if 'g:do_filetype_lua' is set.
  vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
    group = group,
    pattern = '*.schema',
    command = 'set filetype=trellis-schema',
  })
end

--- Returns the nearest folder above a file that contains Package.swift or .git, or else the file's own folder.
local function root(file)
  local own = vim.fn.fnamemodify(file, ':p:h')
  local folder = own
  while true do
    for _, name in ipairs({ 'Package.swift', '.git' }) do
      if (vim.uv or vim.loop).fs_stat(folder .. '/' .. name) then return folder end
    end
    local above = vim.fn.fnamemodify(folder, ':h')
    if above == folder then return own end
    folder = above
  end
end

--- The clients by root folder, for Neovim 0.7, which has no 'vim.lsp.start'.
local clients = {}

local function start(buffer)
  local folder = root(vim.api.nvim_buf_get_name(buffer))
  local config = { name = 'trellis', cmd = { 'trellis', 'lsp' }, root_dir = folder }
  if vim.lsp.start then
    vim.lsp.start(config)
    return
  end
  if not clients[folder] then
    config.workspace_folders = { { name = folder, uri = vim.uri_from_fname(folder) } }
    config.on_exit = function() clients[folder] = nil end
    clients[folder] = vim.lsp.start_client(config)
  end
  if clients[folder] then vim.lsp.buf_attach_client(buffer, clients[folder]) end
end

vim.api.nvim_create_autocmd('FileType', {
  group = group,
  pattern = 'trellis-schema',
  callback = function(event)
    local options = vim.bo[event.buf]
    options.commentstring = '// %s'
    options.expandtab = true
    options.shiftwidth = 4
    options.omnifunc = 'v:lua.vim.lsp.omnifunc'
    -- Neovim sets the syntax to the file type after this event.
    vim.schedule(function()
      if vim.api.nvim_buf_is_valid(event.buf) then options.syntax = 'swift' end
    end)
    if options.buftype ~= '' then return end
    if vim.fn.executable('trellis') == 0 then
      local text = "'trellis' is not on the PATH: run './run install' in a checkout of Trellis"
      vim.notify_once(text, vim.log.levels.WARN)
    else
      start(event.buf)
    end
  end,
})
