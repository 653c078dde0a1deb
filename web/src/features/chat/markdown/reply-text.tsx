import { lazy, Suspense, type ComponentType } from 'react'
import { language } from '../../../lib/locale.ts'
import { loadMarkdown } from './load-markdown.ts'
import { splitBold } from './split-bold.ts'

/** Whether the browser translates the page: Chrome, Edge and Safari then change its language. */
const isTranslated = () => {
  const { lang, className } = document.documentElement
  return (lang !== '' && lang !== language) || className.includes('translated-')
}

type Renderer = ComponentType<{ text: string; streaming: boolean }>
/** One component for streaming and finished replies. If it cannot be loaded, replies are plain text. */
const Markdown = lazy<Renderer>(() =>
  loadMarkdown().then(
    (module) => ({ default: module.Markdown }),
    () => ({ default: PlainText }),
  ),
)

/** A reply's text; plain until the markdown renderer has loaded. */
export function ReplyText({ text, streaming = false }: { text: string; streaming?: boolean }) {
  return (
    // the nodes that a browser has translated are not React's any more, so another text gets new ones
    <Suspense
      key={!streaming && isTranslated() ? text : undefined}
      fallback={<PlainText text={text} streaming={streaming} />}
    >
      <Markdown text={text} streaming={streaming} />
    </Suspense>
  )
}

function PlainText({ text, streaming }: { text: string; streaming: boolean }) {
  return (
    <p
      dir="auto"
      translate={streaming ? 'no' : undefined}
      className="max-w-(--width-reading) text-base wrap-anywhere"
    >
      <TextWithBold text={text} />
    </p>
  )
}

/** Plain text with line breaks; text between double asterisks is bold. */
export function TextWithBold({ text }: { text: string }) {
  const parts = splitBold(text)
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
