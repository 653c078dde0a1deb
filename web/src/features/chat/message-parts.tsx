import { lazy, Suspense, type ComponentProps } from 'react'

/** What only some messages have; loaded when the page is idle, or with the first message that needs it. */
const loadFiles = () => import('./attachments/message-files.tsx')
const loadTools = () => import('./tools/tool-lines.tsx')

const LazyFiles = lazy(() => loadFiles().then((module) => ({ default: module.MessageFiles })))
const LazyToolCalls = lazy(() => loadTools().then((module) => ({ default: module.ToolCalls })))
const LazyToolLines = lazy(() => loadTools().then((module) => ({ default: module.ToolLines })))

export function preloadMessageParts(): void {
  // a failure is met again when a message needs them
  Promise.all([loadFiles(), loadTools()]).catch(() => undefined)
}

export function MessageFiles(props: ComponentProps<typeof LazyFiles>) {
  return (
    <Suspense fallback={<div className="h-14" />}>
      <LazyFiles {...props} />
    </Suspense>
  )
}

export function ToolCalls(props: ComponentProps<typeof LazyToolCalls>) {
  return (
    <Suspense fallback={<div className="h-8" />}>
      <LazyToolCalls {...props} />
    </Suspense>
  )
}

export function ToolLines(props: ComponentProps<typeof LazyToolLines>) {
  return (
    <Suspense fallback={<div className="h-8" />}>
      <LazyToolLines {...props} />
    </Suspense>
  )
}
