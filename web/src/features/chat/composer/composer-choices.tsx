import { lazyComponent } from '../../../components/lazy-component.tsx'
import { whenIdle } from '../../../lib/when-idle.ts'
import { useConfig } from '../../../lib/config.ts'
import type { PublicModel } from '#shared/models.ts'
import type { UploadQueue } from '../attachments/upload-queue.ts'
import type { Conversation } from '../state/conversation.ts'

const ModelPicker = lazyComponent(
  () => import('./model-picker.tsx'),
  'ModelPicker',
  <div className="h-9.5 max-sm:h-10.5" />,
)

/** Loads after the first page is shown: most of what lazy parts share comes with it. */
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

/** What is chosen for the next replies of a conversation: the model and the tools. */
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
