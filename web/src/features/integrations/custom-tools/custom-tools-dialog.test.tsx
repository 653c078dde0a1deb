import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { CustomTool } from '#shared/contracts/integrations.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { ApiError, NetworkError } from '../../../lib/api/api-errors.ts'
import { createRow, createToolForm, toToolConfig, removeRow } from './custom-tool-form.ts'
import { CustomToolsDialog } from './custom-tools-dialog.tsx'
import { type RouteHandlers, fakeApi, removeSession } from '../../../../../test/support/fake-api.ts'
import { limitTools, renderPage } from '../../../../../test/support/render-page.tsx'

vi.mock('../../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

const onOpenChange = vi.fn<(open: boolean) => void>()
let tools: CustomTool[]
let api: ReturnType<typeof fakeApi>

const createTool = (id: string, name: string): CustomTool => ({
  id,
  user_id: 'u1',
  name,
  description: 'Custom MCP Tool',
  config: { serverUrl: 'https://mcp.roastery.example/x', apiKey: '••••1234', customFields: {} },
  is_active: true,
  created_at: '2026-11-20T12:00:00Z',
})
const listToasts = () =>
  vi.mocked(showToast).mock.calls.map(([, title, options]) => [title, options?.description])

function open(handlers: RouteHandlers = {}) {
  api = fakeApi({
    'customTools.list': () => ({ tools }),
    'customTools.add': ({ body }) => {
      const addedTool = createTool('new', body.name)
      tools = [...tools, addedTool]
      return { success: true, tool: addedTool }
    },
    'customTools.remove': ({ params }) => {
      tools = tools.filter(({ id }) => id !== params.toolId)
      return { success: true }
    },
    ...handlers,
  })
  renderPage(<CustomToolsDialog userId="u1" open onOpenChange={onOpenChange} />)
}

async function openAddDialog() {
  fireEvent.click(await screen.findByRole('button', { name: 'Add Custom MCP Tool' }))
  return within(await screen.findByRole('dialog', { name: 'Add Custom MCP Tool' }))
}

beforeEach(() => {
  vi.mocked(showToast).mockReset()
  onOpenChange.mockReset()
  tools = []
})

async function deleteTool(name: string) {
  fireEvent.click(await screen.findByRole('button', { name: `Delete ${name}` }))
  const confirmation = within(await screen.findByRole('dialog', { name: `Delete ${name}?` }))
  fireEvent.click(confirmation.getByRole('button', { name: 'Delete' }))
}

describe('custom tools', () => {
  it('DEC-189 cannot be added if the user’s groups do not allow them', async () => {
    tools = [createTool('a', 'Roast log')]
    api = fakeApi({ 'customTools.list': () => ({ tools }) })
    const { client } = renderPage(<CustomToolsDialog userId="u1" open onOpenChange={onOpenChange} />)
    act(() => limitTools(client, 'catalogue'))
    expect(await screen.findByText(/does not allow servers of your own/)).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add Custom MCP Tool' }).disabled).toBe(true)
    expect(await screen.findByRole('button', { name: 'Delete Roast log' })).toBeTruthy()
  })

  it('CUST-01 CUST-02 CUST-13 are listed with a delete button each; Close closes the dialog', async () => {
    tools = [createTool('a', 'Roast log'), createTool('b', 'Shop orders')]
    open()
    const dialog = within(screen.getByRole('dialog', { name: 'Custom Tools' }))
    const list = within(await dialog.findByRole('list', { name: 'Custom tools' }))
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'RORoast logCustom MCP Tool · mcp.roastery.example',
      'SHShop ordersCustom MCP Tool · mcp.roastery.example',
    ])
    expect(list.getByRole('button', { name: 'Delete Roast log' })).toBeTruthy()
    fireEvent.click(dialog.getByRole('button', { name: 'Close' }))
    expect(onOpenChange).toHaveBeenCalledWith(false)
  })

  it('CUST-03 says that there are no custom tools', async () => {
    open()
    expect(await screen.findByText('No custom tools yet')).toBeTruthy()
  })

  it('CUST-14 CUST-19 DEC-153 removes a tool after a confirmation', async () => {
    tools = [createTool('a', 'Roast log')]
    open()
    const remove = await screen.findByRole('button', { name: 'Delete Roast log' })
    fireEvent.click(remove)
    const confirmation = within(await screen.findByRole('dialog', { name: 'Delete Roast log?' }))
    fireEvent.click(confirmation.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Delete Roast log?' })).toBeNull())
    expect(api.requestsTo('customTools.remove')).toEqual([])
    await deleteTool('Roast log')
    expect(await screen.findByText('No custom tools yet')).toBeTruthy()
    expect(api.requestsTo('customTools.remove')).toEqual([{ params: { toolId: 'a' } }])
    expect(listToasts()).toEqual([['Custom Tool Removed', 'Tool has been removed from your collection']])
  })

  it('CUST-09 hides the values of custom fields, which may be keys, until the user shows them', async () => {
    open()
    const dialog = await openAddDialog()
    const value = dialog.getByLabelText<HTMLInputElement>('Field 1 value')
    expect(value.type).toBe('password')
    fireEvent.click(dialog.getByRole('button', { name: 'Show values' }))
    expect(value.type).toBe('text')
  })

  it('CUST-20 says when removing failed', async () => {
    tools = [createTool('a', 'Roast log')]
    open({ 'customTools.remove': () => Promise.reject(new NetworkError()) })
    await deleteTool('Roast log')
    await waitFor(() => expect(listToasts()[0]?.[0]).toBe('Failed to Remove Tool'))
    expect(screen.getByText('Roast log')).toBeTruthy()
  })

  it('a tool that another tab has deleted is deleted', async () => {
    tools = [createTool('a', 'Roast log')]
    open({
      'customTools.remove': () => {
        tools = []
        throw new ApiError({ status: 404, code: 'tool_not_found', userMessage: 'No such tool.' })
      },
    })
    await deleteTool('Roast log')
    expect(await screen.findByText('No custom tools yet')).toBeTruthy()
    expect(listToasts().map(([title]) => title)).toEqual(['Custom Tool Removed'])
  })

  it('CUST-04 CUST-06 CUST-21 adds a tool; only the name is required', async () => {
    open()
    const dialog = await openAddDialog()
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Roast log' } })
    for (const label of ['Description', 'Server URL', 'API key'])
      expect(dialog.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`)).required).toBe(false)
    fireEvent.click(dialog.getByRole('button', { name: 'Add tool' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Add Custom MCP Tool' })).toBeNull())
    expect(await screen.findByText('Roast log')).toBeTruthy()
  })

  it('what is typed while a tool is added stays in the open dialog', async () => {
    const adding = Promise.withResolvers<void>()
    open({
      'customTools.add': async ({ body }) => {
        await adding.promise
        return { success: true, tool: createTool('new', body.name) }
      },
    })
    const dialog = await openAddDialog()
    const field = dialog.getByLabelText<HTMLInputElement>('Name')
    fireEvent.change(field, { target: { value: 'Roast log' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Add tool' }))
    await waitFor(() => expect(api.requestsTo('customTools.add')).toHaveLength(1))
    fireEvent.change(field, { target: { value: 'Shop orders' } })
    // it would be lost if adding fails
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    await act(async () => adding.resolve())
    await waitFor(() => expect(listToasts()).toEqual([['Custom Tool Added', 'Successfully added Roast log']]))
    expect(field.isConnected && field.value).toBe('Shop orders')
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('dialog', { name: 'Add Custom MCP Tool' })).toBeNull()
  })

  it('CUST-16 shows a toast with the name of the added tool', async () => {
    open()
    const dialog = await openAddDialog()
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: ' Roast log ' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Add tool' }))
    await waitFor(() => expect(listToasts()).toEqual([['Custom Tool Added', 'Successfully added Roast log']]))
  })

  it('CUST-08 CUST-09 CUST-11 sends the name and the configuration, with the complete rows only', async () => {
    open()
    const dialog = await openAddDialog()
    expect(dialog.queryByLabelText('Field 2 key')).toBeNull()
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: ' Roast log ' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Add field' }))
    fireEvent.change(dialog.getByLabelText('Field 1 key'), { target: { value: 'region' } })
    fireEvent.change(dialog.getByLabelText('Field 1 value'), { target: { value: 'eu' } })
    fireEvent.change(dialog.getByLabelText('Field 2 key'), { target: { value: 'only a key' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Add tool' }))
    await waitFor(() => expect(listToasts()).toHaveLength(1))
    expect(api.requestsTo('customTools.add')).toEqual([
      {
        body: {
          name: 'Roast log',
          description: '',
          config: { serverUrl: '', apiKey: '', customFields: { region: 'eu' } },
        },
      },
    ])
  })

  it('CUST-05 requires a name', async () => {
    open()
    const dialog = await openAddDialog()
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: '   ' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Add tool' }))
    expect(await dialog.findByText('Tool name is required')).toBeTruthy()
    expect(listToasts()).toEqual([['Validation Error', 'Tool name is required']])
    expect(api.requestsTo('customTools.add')).toEqual([])
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'R' } })
    expect(dialog.queryByText('Tool name is required')).toBeNull()
  })

  it('CUST-10 removes rows, but not the last one', async () => {
    open()
    const dialog = await openAddDialog()
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Remove field 1' }).disabled).toBe(true)
    fireEvent.click(dialog.getByRole('button', { name: 'Add field' }))
    fireEvent.click(dialog.getByRole('button', { name: 'Remove field 1' }))
    expect(dialog.queryByRole('button', { name: 'Remove field 2' })).toBeNull()
  })

  const addRejectedTool = async () => {
    open({
      'customTools.add': () => {
        throw new ApiError({ status: 400, code: 'address', userMessage: 'This address is private.' })
      },
    })
    const dialog = await openAddDialog()
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Roast log' } })
    fireEvent.change(dialog.getByLabelText('Server URL'), { target: { value: 'https://10.0.0.1' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Add tool' }))
    return dialog
  }

  it('CUST-17 DEC-082 shows one error when adding failed, and keeps the entered values', async () => {
    const dialog = await addRejectedTool()
    await waitFor(() => expect(listToasts()).toEqual([['Failed to Add Tool', 'This address is private.']]))
    expect(dialog.getByLabelText<HTMLInputElement>('Server URL').value).toBe('https://10.0.0.1')
  })

  it('CUST-18 DEC-136 does not log to the console when adding failed, because the API logs the request', async () => {
    const consoleSpies = (['log', 'info', 'warn', 'debug'] as const).map((level) => vi.spyOn(console, level))
    await addRejectedTool()
    await waitFor(() => expect(listToasts()).toHaveLength(1))
    expect(consoleSpies.flatMap(({ mock }) => mock.calls)).toEqual([])
  })

  it('CUST-15 says that the user is not signed in', async () => {
    open()
    const dialog = await openAddDialog()
    removeSession()
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Roast log' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Add tool' }))
    await waitFor(() => expect(listToasts()).toEqual([['Failed to Add Tool', 'User not authenticated']]))
  })

  it('tests a server before it is saved, and clears the result when the URL changes', async () => {
    open({
      'customTools.test': () => ({
        success: true,
        server: 'everything',
        tools: [{ name: 'echo', description: 'Says it again' }],
      }),
    })
    const dialog = await openAddDialog()
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Test connection' }).disabled).toBe(true)
    fireEvent.change(dialog.getByLabelText('Server URL'), { target: { value: 'https://mcp.example' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Test connection' }))
    expect(await dialog.findByText('everything answers with 1 tool')).toBeTruthy()
    fireEvent.change(dialog.getByLabelText('Server URL'), { target: { value: 'https://mcp.example/2' } })
    await waitFor(() => expect(dialog.queryByText(/answers with/)).toBeNull())
  })

  it('forgets the test and the error of a tool when the dialog is closed', async () => {
    open({ 'customTools.test': () => ({ success: true, server: 'everything', tools: [] }) })
    const dialog = await openAddDialog()
    fireEvent.change(dialog.getByLabelText('Server URL'), { target: { value: 'https://mcp.example' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Test connection' }))
    expect(await dialog.findByText('everything answers with 0 tools')).toBeTruthy()
    fireEvent.click(dialog.getByRole('button', { name: 'Add tool' }))
    expect(dialog.getByText('Tool name is required')).toBeTruthy()
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Add Custom MCP Tool' })).toBeNull())
    const again = await openAddDialog()
    expect(again.queryByText(/answers with|is required/)).toBeNull()
  })
})

it('CUST-08 CUST-10 CUST-12 keeps complete pairs, and at least one row', () => {
  const fields = [
    { id: '1', key: ' a ', value: ' 1 ' },
    { id: '2', key: 'b', value: ' ' },
    { id: '3', key: '', value: '3' },
  ]
  expect(toToolConfig({ ...createToolForm(), serverUrl: ' https://x ', fields })).toEqual({
    serverUrl: 'https://x',
    apiKey: '',
    customFields: { a: '1' },
  })
  const row = createRow()
  expect(removeRow([row], row.id)).toEqual([row])
  expect(removeRow([row, createRow()], row.id)).toHaveLength(1)
})

it('no tool can be added once the limit is reached (M8)', async () => {
  tools = Array.from({ length: 20 }, (_, index) => createTool(`t${index}`, `Server ${index}`))
  open()
  expect(
    await screen.findByText('You have 20 custom tools, which is the most. Remove one to add another.'),
  ).toBeTruthy()
  const addButton = screen.getByRole<HTMLButtonElement>('button', { name: 'Add Custom MCP Tool' })
  expect(addButton.disabled).toBe(true)
  await deleteTool('Server 3')
  await waitFor(() => expect(addButton.disabled).toBe(false))
})
