import { lazyComponent } from '../../../components/lazy-component.tsx'
import { whenIdle } from '../../../lib/browser/when-idle.ts'
import { useConfig } from '../../../lib/api/config.ts'
import type { PublicModel } from '#shared/models.ts'
import type { UploadQueue } from '../attachments/upload-queue.ts'
import type { Conversation } from '../state/conversation.ts'

const ModelPicker = lazyComponent(
  () => import('./model-picker.tsx'),
  'ModelPicker',
  <div className="h-8 max-sm:size-11" />,
)

/** Loaded only when the page is idle, because it loads much of what other lazy parts share. */
const ConversationContext = lazyComponent(
  async () => {
    await whenIdle()
    return import('./conversation-context.tsx')
  },
  'ConversationContext',
  null,
  // the chat works without it
  { silent: true },
)

/** The choices for the next replies of a conversation: the model, if there is a choice, and the tools. */
export function ComposerChoices({
  conversation,
  uploadQueue,
}: {
  conversation: Conversation
  uploadQueue: UploadQueue
}) {
  const models = useConfig()?.models
  return (
    <>
      {models && hasModelChoice(models) && (
        <ModelPicker models={models} conversation={conversation} uploadQueue={uploadQueue} />
      )}
      <ConversationContext conversation={conversation} />
    </>
  )
}

const hasModelChoice = (models: readonly PublicModel[]) =>
  models.length > 1 || models.some(({ efforts }) => efforts.length > 0)
