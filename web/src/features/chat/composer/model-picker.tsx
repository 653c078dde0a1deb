import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { Check, Sparkles } from 'lucide-react'
import { RadioGroup } from 'radix-ui'
import { useLayoutEffect, type ReactNode } from 'react'
import type { PublicModel } from '#shared/models.ts'
import { PickerPopover } from '../../../components/ui/popover.tsx'
import { useStore } from '../../../lib/browser/create-store.ts'
import { readLastModel, rememberModel } from '../../../lib/conversations/last-model.ts'
import type { UploadQueue } from '../attachments/upload-queue.ts'
import { useConversationState, type Conversation } from '../state/conversation.ts'
import { direction } from '../../../lib/text/locale.ts'
import { formatEffort } from '../../../lib/text/effort-name.ts'
import { useOfferedModels } from './use-offered-models.ts'

const formatButtonLabel = (model: string, effort: string | undefined) =>
  effort === undefined ? t`Model: ${model}` : t`Model: ${model}, effort ${effort}`

interface ModelPickerProps {
  models: readonly PublicModel[]
  conversation: Conversation
  uploadQueue: Pick<UploadQueue, 'files'>
}

/** The value in the radio group that stands for no effort, so that the model's server chooses one. */
const automatic = 'automatic'

/** Chooses the model of the next replies and its effort, and warns of a model that cannot see the attached images. Without a choice there is no button. */
export function ModelPicker({ models: allModels, conversation, uploadQueue }: ModelPickerProps) {
  const id = useConversationState(conversation, (state) => state.model)
  const effort = useConversationState(conversation, (state) => state.effort)
  const models = useOfferedModels(allModels)
  useOfferedChoice(conversation, models)
  const hasImages = useStore(uploadQueue.files).some(({ type }) => type.startsWith('image/'))
  const model =
    models.find((each) => each.id === id) ?? models.find(({ isDefault }) => isDefault) ?? models[0]
  if (!model) return null
  const { efforts } = model
  const hasChoice = models.length > 1 || efforts.length > 0
  const shownEffort = effort !== undefined && efforts.includes(effort) ? effort : undefined
  const apply = (choice: { model: string; effort: string | undefined }) => {
    conversation.choose(choice)
    rememberModel(choice)
  }
  const choose = (next: string) => apply({ model: next, effort: undefined })
  const chooseEffort = (next: string | undefined) => apply({ model: model.id, effort: next })

  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 pb-1.5">
      {hasChoice && (
        <PickerPopover
          title={t`Model`}
          icon={<Sparkles aria-hidden size={16} className="hidden max-sm:in-data-icons-only:block" />}
          label={formatButtonLabel(model.name, shownEffort && formatEffort(shownEffort))}
          button={
            <>
              <span className="truncate">{model.name}</span>
              {shownEffort !== undefined && (
                <span className="text-ink-faint">{formatEffort(shownEffort)}</span>
              )}
            </>
          }
        >
          {models.length > 1 && (
            <RadioGroup.Root dir={direction} aria-label={t`Model`} value={model.id} onValueChange={choose}>
              {models.map(({ id: value, name, vision, isDefault }) => (
                <Option key={value} value={value}>
                  <span className="min-w-0 flex-1 break-words">{name}</span>
                  {vision === false && <span className="text-xs text-ink-faint">{t`Text only`}</span>}
                  {isDefault && <span className="text-xs text-ink-faint">{t`Default`}</span>}
                </Option>
              ))}
            </RadioGroup.Root>
          )}
          {efforts.length > 0 && (
            <div className={models.length > 1 ? 'mt-1.5 border-t border-line pt-2' : 'pt-1'}>
              <EffortChoice efforts={efforts} chosen={shownEffort} onChoose={chooseEffort} />
            </div>
          )}
        </PickerPopover>
      )}
      <span role="status" className="px-1 py-0.5 text-xs text-warning-ink empty:absolute">
        {hasImages &&
          model.vision === false &&
          t`${{ model: model.name }} cannot see images. It gets your text without them.`}
      </span>
    </div>
  )
}

/**
 * Gives a new chat outside of projects and assistants the model that was chosen last in this browser, and drops a chosen model or effort that is
 * not offered any more.
 */
function useOfferedChoice(conversation: Conversation, models: readonly PublicModel[]): void {
  const isNew = useConversationState(
    conversation,
    ({ loadStatus, messages, projectId, assistant }) =>
      loadStatus === 'loaded' && messages.length === 0 && !projectId && !assistant,
  )
  // layout effects, so that no other model is shown in between
  useLayoutEffect(() => {
    if (isNew) conversation.choose(readLastModel())
  }, [conversation, isNew])
  const { model, effort } = useConversationState(conversation, (state) => state.chosen)
  const offered = models.find(({ id }) => id === model)
  const isModelOffered = model === undefined || offered !== undefined
  const isEffortOffered = effort === undefined || offered?.efforts.includes(effort) !== false
  useLayoutEffect(() => {
    if (!isModelOffered) conversation.choose({ model: undefined, effort: undefined })
    else if (!isEffortOffered) conversation.choose({ effort: undefined })
  }, [conversation, isModelOffered, isEffortOffered])
}

function Option({ value, children }: { value: string; children: ReactNode }) {
  return (
    <RadioGroup.Item
      value={value}
      className={clsx(
        'flex min-h-9 w-full cursor-pointer items-center gap-2.5 rounded-sm px-2.5 py-1 text-start text-ink max-sm:min-h-11',
        'hover:bg-surface-hover',
      )}
    >
      <span className="size-4 shrink-0 text-accent-ink">
        <RadioGroup.Indicator asChild>
          <Check aria-hidden size={16} />
        </RadioGroup.Indicator>
      </span>
      {children}
    </RadioGroup.Item>
  )
}

function EffortChoice({
  efforts,
  chosen,
  onChoose,
}: {
  efforts: PublicModel['efforts']
  /** undefined if the model's server chooses one */
  chosen: string | undefined
  onChoose: (effort: string | undefined) => void
}) {
  return (
    <>
      <p aria-hidden className="px-2.5 pb-1 text-sm font-medium text-ink-muted">
        {t`Effort`}
      </p>
      <RadioGroup.Root
        dir={direction}
        aria-label={t`Effort`}
        value={chosen ?? automatic}
        onValueChange={(next) => onChoose(next === automatic ? undefined : next)}
      >
        {[automatic, ...efforts].map((value) => (
          <Option key={value} value={value}>
            {value === automatic ? t`Automatic` : formatEffort(value)}
          </Option>
        ))}
      </RadioGroup.Root>
      <p className="px-2.5 pt-1 pb-1.5 text-xs text-ink-faint">{t`More effort takes longer and costs more.`}</p>
    </>
  )
}
