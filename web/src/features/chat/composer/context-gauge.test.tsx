import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Usage } from '#shared/contracts/chat.ts'
import type { AccountRead } from '#shared/contracts/account.ts'
import type { PublicModel } from '#shared/models.ts'
import type { DraftAttachment } from '../attachments/upload-queue.ts'
import { accountQuery } from '../../../lib/account/account-queries.ts'
import { loadConfig, setModels } from '../../../lib/api/config.ts'
import { createStore } from '../../../lib/browser/create-store.ts'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import {
  aChatMessage,
  shownConversation,
  fakeConversation,
} from '../../../../../test/support/fake-conversation.ts'
import type { ConversationState } from '../state/conversation-state.ts'
import { ConversationGauge } from './context-gauge.tsx'
import { ModelPicker } from './model-picker.tsx'

const model: PublicModel = { id: 'm', name: 'Small Talk', vision: true, efforts: [], isDefault: true }
const modelWithWindow = { ...model, contextTokens: 8_000 }
const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, reasoningTokens: 0, images: 0 }

const reply = aChatMessage()

const createState = (usages: readonly (Partial<Usage> | undefined)[], isTemporary = false) =>
  shownConversation({
    isTemporary,
    messages: usages.map((changes) => ({ ...reply, usage: changes && { ...usage, model: 'm', ...changes } })),
  })

function showGauge(state: ConversationState, models: readonly PublicModel[] = [modelWithWindow]) {
  setModels(models)
  const conversation = fakeConversation(state)
  render(<ConversationGauge conversation={conversation} />)
  return conversation
}
const findGauge = () => screen.queryByRole('button')

describe('DEC-178 the gauge', () => {
  beforeAll(async () => {
    fakeApi({})
    await loadConfig()
  })

  it('appears from a quarter of the window, and follows the newest reply', () => {
    const conversation = showGauge(createState([{ contextUsed: 1_999 }]))
    expect(findGauge()).toBeNull()
    act(() => conversation.setState(createState([{ contextUsed: 1_999 }, undefined, { contextUsed: 2_000 }])))
    expect(findGauge()?.getAttribute('aria-label')).toBe(
      'Length of this conversation: 25% of what the model can read',
    )
    expect(findGauge()?.textContent).toBe('25%')
    act(() => conversation.setState(createState([{ contextUsed: 9_000 }])))
    expect(findGauge()?.textContent).toBe('100%')
  })

  it.each([
    ['a model without a known window', { contextUsed: 7_000 }, [model]],
    ['a model that is no longer listed', { contextUsed: 7_000, model: 'old' }, [modelWithWindow]],
    ['a reply without a token count', {}, [modelWithWindow]],
  ])('does not appear for %s', (_, replyUsage, models) => {
    showGauge(createState([replyUsage]), models)
    expect(findGauge()).toBeNull()
  })

  it.each([
    [false, undefined, /When older messages no longer fit, the assistant has at most a summary/],
    [false, { contextStart: 'u3' }, /Older messages no longer fit: the assistant has at most a summary/],
    [true, undefined, /When older messages no longer fit, the assistant no longer sees them/],
    [true, { contextTurns: 3 }, /Older messages no longer fit: the assistant no longer sees them/],
  ])(
    'says what happens to older messages (temporary: %s, start of the context: %j)',
    async (isTemporary, contextStart, message) => {
      // when messages are left out, the gauge is shown at any length
      showGauge(createState([{ contextUsed: contextStart ? 800 : 4_000, ...contextStart }], isTemporary))
      const button = findGauge()
      if (button) fireEvent.click(button)
      const popover = await screen.findByRole('dialog', { name: 'Length of this conversation' })
      expect(popover.textContent).toMatch(message)
      expect(popover.textContent).toContain(
        contextStart
          ? '10% of what Small Talk can read at once: 800 of 8,000 tokens'
          : '50% of what Small Talk can read at once: 4,000 of 8,000 tokens',
      )
    },
  )
})

it('offers no choice when the limits of the user leave one model without efforts', () => {
  const queryClient = new QueryClient()
  queryClient.setQueryData(accountQuery.queryKey, { limits: { models: ['m'] } } as AccountRead)
  render(
    <QueryClientProvider client={queryClient}>
      <ModelPicker
        models={[
          { ...model, vision: false },
          { ...model, id: 'other', isDefault: false },
        ]}
        conversation={fakeConversation()}
        uploadQueue={{
          files: createStore<readonly DraftAttachment[]>([{ type: 'image/png' } as DraftAttachment]),
        }}
      />
    </QueryClientProvider>,
  )
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.getByRole('status').textContent).toContain('Small Talk cannot see images')
})

it('DEC-178 offers the effort of the only model, but no list of models', async () => {
  const conversation = fakeConversation({}, { choose: (choice) => conversation.setState(choice) })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ModelPicker
        models={[{ ...model, efforts: ['low', 'high'] }]}
        conversation={conversation}
        uploadQueue={{ files: createStore<readonly DraftAttachment[]>([]) }}
      />
    </QueryClientProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Model: Small Talk' }))
  const names = (await screen.findAllByRole('radio')).map(({ textContent }) => textContent)
  expect(names).toEqual(['Automatic', 'Low', 'High'])
  fireEvent.click(screen.getByRole('radio', { name: 'High' }))
  expect(conversation.getState()).toMatchObject({ model: 'm', effort: 'high' })
  expect(await screen.findByRole('button', { name: 'Model: Small Talk, effort High' })).toBeTruthy()
})
