import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import type { DisabledTool } from '#shared/contracts/chat.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { toolsQuery } from '../state/tools-query.ts'
import { switchTool } from './disabled-tools.ts'
import { ToolPicker } from './tool-picker.tsx'

const tool = (id: string) => ({
  id,
  name: `Tool ${id}`,
  description: '',
  writes: false,
  parameters: {},
  examples: [],
})
const connection = (id: string, tools: string[]): IntegrationTools => ({
  id,
  name: `My ${id}`,
  provider: id,
  status: 'connected',
  health_status: 'healthy',
  lastUsed: null,
  usage_count: 0,
  capabilities: tools.map(tool),
  problem: null,
})
const slack = connection('slack', ['list', 'read', 'send'])

function show(connections: IntegrationTools[], initial: DisabledTool[] = []) {
  const queryClient = new QueryClient()
  queryClient.setQueryData(toolsQuery('u').queryKey, connections)
  const changes: DisabledTool[][] = []
  function Page() {
    const [disabled, setDisabled] = useState(initial)
    const onChange = (next: DisabledTool[]) => {
      changes.push(next)
      setDisabled(next)
    }
    return <ToolPicker userId="u" disabled={disabled} onChange={onChange} />
  }
  render(
    <QueryClientProvider client={queryClient}>
      <Page />
    </QueryClientProvider>,
  )
  return changes
}
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })

describe('DEC-182 the choice of tools', () => {
  it('is not there without a connection that has tools', () => {
    show([connection('empty', [])])
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('turns connections and single tools off and on, and says how many are off', () => {
    const changes = show([slack, connection('gmail', ['search'])])
    fireEvent.click(screen.getByRole('button', { name: 'Tools' }))
    fireEvent.click(box('My gmail'))
    expect(changes.at(-1)).toEqual([{ mcp_id: 'gmail' }])
    fireEvent.click(screen.getByRole('button', { name: 'Tools of My slack, 3 of 3' }))
    fireEvent.click(box('Tool send'))
    expect(changes.at(-1)).toEqual([{ mcp_id: 'gmail' }, { mcp_id: 'slack', tool: 'send' }])
    expect([box('My slack').checked, box('My slack').indeterminate, box('Tool send').checked]).toEqual([
      true,
      true,
      false,
    ])
    expect(screen.getByRole('button', { name: 'Tools: 2 off', hidden: true })).toBeTruthy()
    // a part is on: the first click turns the rest on
    fireEvent.click(box('My slack'))
    expect(changes.at(-1)).toEqual([{ mcp_id: 'gmail' }])
    fireEvent.click(box('My gmail'))
    expect(changes.at(-1)).toEqual([])
  })

  it('refuses more single tools than a conversation can remember', () => {
    const many = connection(
      'many',
      Array.from({ length: 102 }, (_, index) => `t${index}`),
    )
    const disabled = many.capabilities.slice(0, 100).map(({ id }) => ({ mcp_id: 'many', tool: id }))
    const changes = show([many], disabled)
    fireEvent.click(screen.getByRole('button', { name: 'Tools: 100 off' }))
    fireEvent.click(screen.getByRole('button', { name: 'Tools of My many, 2 of 102' }))
    fireEvent.click(box('Tool t100'))
    expect(changes).toEqual([])
    expect(screen.getByRole('alert').textContent).toMatch(/Turn off a whole connection/)
  })

  it('turns a connection off as a whole with its last tool, and keeps the others on with its first', () => {
    const both = [
      { mcp_id: 'slack', tool: 'list' },
      { mcp_id: 'slack', tool: 'read' },
    ]
    expect(switchTool(both, slack, 'send', false)).toEqual([{ mcp_id: 'slack' }])
    expect(switchTool([{ mcp_id: 'slack' }], slack, 'send', true)).toEqual(both)
  })
})
