-- Edits a schema in headless Neovim as a person would: waits for a diagnostic, applies the fix, completes an option,
-- renames a property, formats and saves. Prints each step, and exits with 1 at the first that fails.
local path = vim.env.SCHEMA_FILE

local function fail(text)
  io.stderr:write('editor.lua: ' .. text .. '\n')
  vim.cmd('cquit 1')
end

local function wait(text, condition)
  if not vim.wait(20000, condition, 20) then fail('timeout: ' .. text) end
  io.stdout:write(text .. '\n')
end

local function request(method, parameters)
  local answers = vim.lsp.buf_request_sync(0, method, parameters, 20000)
  for _, answer in pairs(answers or {}) do
    if answer.error then fail(method .. ': ' .. answer.error.message) end
    return answer.result
  end
  fail(method .. ' has no answer')
end

local function place(line, text)
  local column = vim.fn.getline(line):find(text, 1, true)
  if not column then fail("'" .. text .. "' is not in line " .. line) end
  vim.fn.cursor(line, column)
end

local function apply(edit)
  local client = vim.tbl_values(vim.lsp.buf_get_clients(0))[1]
  vim.lsp.util.apply_workspace_edit(edit, client.offset_encoding)
end

--- Returns the first diagnostic that contains a text.
local function find(text)
  for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
    if diagnostic.message:find(text, 1, true) then return diagnostic end
  end
end

--- Applies the code action at the cursor whose title contains a text.
local function choose(text)
  local range = vim.lsp.util.make_range_params()
  range.context = { diagnostics = {} }
  for _, action in ipairs(request('textDocument/codeAction', range)) do
    if action.title:find(text, 1, true) then return apply(action.edit) end
  end
  fail("there is no fix with '" .. text .. "'")
end

vim.cmd('edit ' .. vim.fn.fnameescape(path))
local first
wait('a diagnostic is shown', function()
  first = find('Sting')
  return first ~= nil
end)

place(first.lnum + 1, 'Sting')
choose('String')
wait('the fix is applied', function() return vim.fn.getline(first.lnum + 1):find('String') ~= nil end)
wait('the diagnostic is gone', function() return find('Sting') == nil end)

place(first.lnum + 1, 'name')
local hover = request('textDocument/hover', vim.lsp.util.make_position_params())
if not hover.contents.value:find('Since version 1.0.0', 1, true) then fail('the hover text differs') end

vim.fn.append(first.lnum, '    @Attribute(.) var code: Int')
vim.fn.cursor(first.lnum + 2, 0)
vim.fn.cursor(first.lnum + 1, 17)
wait('completion proposes options', function()
  local items = request('textDocument/completion', vim.lsp.util.make_position_params())
  for _, item in ipairs(items) do
    if item.label == 'preserveValueOnDeletion' then return true end
  end
  return false
end)
vim.fn.setline(first.lnum + 1, '    @Attribute(.preserveValueOnDeletion) var code:Int')

place(first.lnum + 2, 'name')
local rename = vim.lsp.util.make_position_params()
rename.newName = 'title'
apply(request('textDocument/rename', rename))
wait('the property is renamed', function() return vim.fn.getline(first.lnum + 2):find('title') ~= nil end)

local question
wait('the change is reported', function()
  question = find('does not handle it')
  return question ~= nil
end)
vim.fn.cursor(question.lnum + 1, question.col + 1)
choose('Set a value')
wait('the change is answered', function() return find('does not handle it') == nil end)

local format = vim.lsp.util.make_formatting_params({})
local client = vim.tbl_values(vim.lsp.buf_get_clients(0))[1]
vim.lsp.util.apply_text_edits(request('textDocument/formatting', format), 0, client.offset_encoding)
vim.cmd('write')
io.stdout:write('saved\n')
vim.cmd('qall!')
