import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { maxDisabledTools } from '#shared/limits.ts'
import type { DisabledTool } from '#shared/contracts/chat.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { toolsQuery } from '../state/tools-query.ts'
import { switchTool } from './disabled-tools.ts'
import { ToolPicker } from './tool-picker.tsx'

const createTool = (id: string) => ({
  id,
  name: `Tool ${id}`,
  description: '',
  writes: false,
  parameters: {},
  examples: [],
})
const createConnection = (id: string, tools: string[]): IntegrationTools => ({
  id,
  name: `My ${id}`,
  provider: id,
  status: 'connected',
  health_status: 'healthy',
  lastUsed: null,
  usage_count: 0,
  capabilities: tools.map(createTool),
  problem: null,
})
const slack = createConnection('slack', ['list', 'read', 'send'])

/** @returns the selections that the picker has reported, oldest first */
function renderPicker(connections: IntegrationTools[], initialTools: DisabledTool[] = []) {
  const queryClient = new QueryClient()
  queryClient.setQueryData(toolsQuery('u').queryKey, connections)
  const selections: DisabledTool[][] = []
  function Page() {
    const [disabledTools, setDisabledTools] = useState(initialTools)
    const onChange = (next: DisabledTool[]) => {
      selections.push(next)
      setDisabledTools(next)
    }
    return <ToolPicker userId="u" disabledTools={disabledTools} onChange={onChange} />
  }
  render(
    <QueryClientProvider client={queryClient}>
      <Page />
    </QueryClientProvider>,
  )
  return selections
}
const getCheckbox = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })

describe('DEC-182 the tool picker', () => {
  it('is not rendered without a connection that has tools', () => {
    renderPicker([createConnection('empty', [])])
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('turns connections and single tools off and on, and shows how many are off', () => {
    const selections = renderPicker([slack, createConnection('gmail', ['search'])])
    fireEvent.click(screen.getByRole('button', { name: 'Tools in this chat' }))
    fireEvent.click(getCheckbox('My gmail'))
    expect(selections.at(-1)).toEqual([{ mcp_id: 'gmail' }])
    fireEvent.click(screen.getByRole('button', { name: 'Tools of My slack, 3 of 3' }))
    fireEvent.click(getCheckbox('Tool send'))
    expect(selections.at(-1)).toEqual([{ mcp_id: 'gmail' }, { mcp_id: 'slack', tool: 'send' }])
    expect([
      getCheckbox('My slack').checked,
      getCheckbox('My slack').indeterminate,
      getCheckbox('Tool send').checked,
    ]).toEqual([true, true, false])
    expect(screen.getByRole('button', { name: 'Tools in this chat: 2 off', hidden: true })).toBeTruthy()
    // some tools are on: the first click turns all on
    fireEvent.click(getCheckbox('My slack'))
    expect(selections.at(-1)).toEqual([{ mcp_id: 'gmail' }])
    fireEvent.click(getCheckbox('My gmail'))
    expect(selections.at(-1)).toEqual([])
  })

  it('limits the number of single tools that can be turned off', () => {
    const connection = createConnection(
      'many',
      Array.from({ length: maxDisabledTools + 2 }, (_, index) => `t${index}`),
    )
    const disabledTools = connection.capabilities
      .slice(0, maxDisabledTools)
      .map(({ id }) => ({ mcp_id: 'many', tool: id }))
    const selections = renderPicker([connection], disabledTools)
    fireEvent.click(screen.getByRole('button', { name: `Tools in this chat: ${maxDisabledTools} off` }))
    fireEvent.click(screen.getByRole('button', { name: `Tools of My many, 2 of ${maxDisabledTools + 2}` }))
    fireEvent.click(getCheckbox(`Tool t${maxDisabledTools}`))
    expect(selections).toEqual([])
    expect(screen.getByRole('alert').textContent).toMatch(/Turn off a whole connection/)
    // not again when the picker is opened again
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
    fireEvent.click(screen.getByRole('button', { name: `Tools in this chat: ${maxDisabledTools} off` }))
    expect(screen.getByRole('dialog')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('turns off the whole connection with its last tool, and turns on only the first tool of one that is off', () => {
    const listAndRead = [
      { mcp_id: 'slack', tool: 'list' },
      { mcp_id: 'slack', tool: 'read' },
    ]
    expect(switchTool(listAndRead, slack, 'send', { isOn: false })).toEqual([{ mcp_id: 'slack' }])
    expect(switchTool([{ mcp_id: 'slack' }], slack, 'send', { isOn: true })).toEqual(listAndRead)
  })
})

it('a tool that is off stays off while its server does not list it and another one is switched', () => {
  const disabledTools = [{ mcp_id: 'slack', tool: 'delete' }]
  const next = switchTool(disabledTools, slack, 'send', { isOn: false })
  expect(next).toEqual(expect.arrayContaining([...disabledTools, { mcp_id: 'slack', tool: 'send' }]))
  expect(switchTool(next, slack, 'send', { isOn: true })).toEqual(disabledTools)
})
