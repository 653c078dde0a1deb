import { lazy, Suspense, type ComponentType } from 'react'
import { BoldText } from './bold-text.tsx'

const load = () => import('./markdown.tsx')
/** A renderer that cannot be loaded, offline perhaps, is no reason to hide the reply. */
type Renderer = ComponentType<{ text: string }>
const plain = (): { default: Renderer } => ({ default: Plain })
const Markdown = lazy<Renderer>(() => load().then((module) => ({ default: module.Markdown }), plain))
const StreamingMarkdown = lazy<Renderer>(() =>
  load().then((module) => ({ default: module.StreamingMarkdown }), plain),
)

/** Starts loading the markdown renderer, so that it is there when the first words are. */
export function preloadMarkdown(): void {
  // a failure is met again, and shown plain, when a reply is rendered
  load().catch(() => undefined)
}

/** A reply's text; plain until the markdown renderer has loaded. */
export function ReplyText({ text, streaming = false }: { text: string; streaming?: boolean }) {
  return (
    <Suspense fallback={<Plain text={text} />}>
      {streaming ? <StreamingMarkdown text={text} /> : <Markdown text={text} />}
    </Suspense>
  )
}

function Plain({ text }: { text: string }) {
  return (
    <p dir="auto" className="max-w-[41.5rem] text-base [overflow-wrap:anywhere]">
      <BoldText text={text} />
    </p>
  )
}
