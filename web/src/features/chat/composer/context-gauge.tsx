import type { PageModel } from '#shared/models.ts'
import { Popover, PopoverContent, PopoverTrigger } from '../../../components/ui/popover.tsx'
import { Tooltip } from '../../../components/ui/tooltip.tsx'
import { useConversationState, type Conversation } from '../state/conversation.ts'
import * as texts from './gauge-texts.ts'

/** A conversation that takes less of the model's window shows no gauge, unless earlier messages are left out. */
const shownFrom = 0.25

interface ContextGaugeProps {
  models: readonly PageModel[]
  conversation: Pick<Conversation, 'getState' | 'subscribe'>
}

/** How much of its model's window the conversation took with the newest reply. */
export function ContextGauge({ models, conversation }: ContextGaugeProps) {
  const usage = useConversationState(
    conversation,
    ({ messages }) => messages.findLast((message) => message.usage?.contextUsed !== undefined)?.usage,
  )
  const isSaved = useConversationState(conversation, (state) => state.isSaved)
  const model = models.find(({ id }) => id === usage?.model)
  if (usage?.contextUsed === undefined || model?.contextTokens === undefined) return null
  const { contextUsed: used, contextStart, contextTurns } = usage
  const share = Math.min(1, used / model.contextTokens)
  const isCut = (contextStart ?? contextTurns) !== undefined
  if (share < shownFrom && !isCut) return null
  const percent = Math.round(share * 100)
  return (
    <Popover>
      <Tooltip text={texts.tooltip} side="top">
        <PopoverTrigger
          aria-label={texts.label(percent)}
          className="-my-1 inline-flex min-h-6 shrink-0 cursor-pointer items-center gap-1.5 rounded-sm px-1 hover:text-ink"
        >
          <svg aria-hidden viewBox="0 0 14 14" width={14} height={14} fill="none" strokeWidth={2.5}>
            <circle cx={7} cy={7} r={5.5} className="stroke-line" />
            <circle
              cx={7}
              cy={7}
              r={5.5}
              pathLength={100}
              strokeDasharray={`${percent} 100`}
              transform="rotate(-90 7 7)"
              stroke="currentColor"
            />
          </svg>
          {texts.percent(percent)}
        </PopoverTrigger>
      </Tooltip>
      <PopoverContent aria-label={texts.title} side="top" className="p-4">
        <p className="font-medium text-ink">{texts.title}</p>
        <p className="pt-1 text-sm text-ink-muted">
          {texts.explanation(model.name, { percent, used, max: model.contextTokens })}
        </p>
        <p className="pt-2 text-sm text-ink-muted">
          {isCut ? texts.cut(isSaved) : texts.willBeCut(isSaved)} {texts.newChat}
        </p>
      </PopoverContent>
    </Popover>
  )
}
