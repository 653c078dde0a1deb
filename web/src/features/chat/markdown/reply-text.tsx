import { lazy, Suspense, type ComponentType } from 'react'

const load = () => import('./markdown.tsx')
type Renderer = ComponentType<{ text: string; streaming: boolean }>
/** One component for both, so that a finished reply never waits again. One that cannot be loaded leaves the reply plain. */
const Markdown = lazy<Renderer>(() =>
  load().then(
    (module) => ({ default: module.Markdown }),
    () => ({ default: Plain }),
  ),
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
      <Markdown text={text} streaming={streaming} />
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

const pair = /\*\*(?=\S)([^]*?\S)\*\*/g

/** Text as typed, with pairs of double asterisks bold (CHAT-18) and line breaks kept (CHAT-19). An unpaired one stays as typed. */
export function BoldText({ text }: { text: string }) {
  const parts = text.split(pair)
  return (
    <span className="block whitespace-pre-wrap [unicode-bidi:plaintext]">
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <strong key={index} className="font-semibold">
            {part}
          </strong>
        ) : (
          part
        ),
      )}
    </span>
  )
}
