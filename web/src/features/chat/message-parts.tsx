import { lazy, Suspense, useState, type ComponentProps, type ComponentType } from 'react'

/**
 * A part that only some messages have: loaded when the page is idle, or with the first message that needs it. Once it is there it
 * is shown at once; `lazy` alone would show its placeholder for a moment even then.
 */
function part<Props extends object>(load: () => Promise<ComponentType<Props>>, placeholder: string) {
  let loaded: ComponentType<Props> | undefined
  const preload = () =>
    load().then((component) => {
      loaded = component
      return { default: component }
    })
  const Lazy = lazy(preload)
  function Part(props: Props) {
    // the same one as long as it stands: its state must survive
    const [Known] = useState(() => loaded)
    if (Known) return <Known {...props} />
    return (
      <Suspense fallback={<div className={placeholder} />}>
        <Lazy {...(props as ComponentProps<typeof Lazy>)} />
      </Suspense>
    )
  }
  return { Part, preload }
}

const loadTools = () => import('./tools/tool-lines.tsx')

const files = part(
  () => import('./attachments/message-files.tsx').then((module) => module.MessageFiles),
  'h-14',
)
const toolCalls = part(() => loadTools().then((module) => module.ToolCalls), 'h-8')
const toolLines = part(() => loadTools().then((module) => module.ToolLines), 'h-8')

export const MessageFiles = files.Part
export const ToolCalls = toolCalls.Part
export const ToolLines = toolLines.Part

export function preloadMessageParts(): void {
  // a failure is met again when a message needs them
  Promise.all([files.preload(), toolCalls.preload(), toolLines.preload()]).catch(() => undefined)
}
