import { lazy, Suspense, type ComponentType } from 'react'
import { language } from '../../../lib/text/locale.ts'
import { loadMarkdown } from './load-markdown.ts'
import { splitBold } from './split-bold.ts'

/** Whether the browser has translated the page, which changes its language or adds a class. */
const isTranslated = () => {
  const { lang, className } = document.documentElement
  return (lang !== '' && lang !== language) || className.includes('translated-')
}

type Renderer = ComponentType<{ text: string; isStreaming: boolean }>
/** One component for streaming and finished replies. If it cannot be loaded, replies are plain text. */
const Markdown = lazy<Renderer>(() =>
  loadMarkdown().then(
    (module) => ({ default: module.Markdown }),
    () => ({ default: PlainText }),
  ),
)

/** A reply's text as Markdown. It is plain text until the renderer has loaded. */
export function ReplyText({ text, isStreaming = false }: { text: string; isStreaming?: boolean }) {
  return (
    // a browser that translates replaces nodes of React, so another text has to be mounted anew
    <Suspense
      key={!isStreaming && isTranslated() ? text : undefined}
      fallback={<PlainText text={text} isStreaming={isStreaming} />}
    >
      <Markdown text={text} isStreaming={isStreaming} />
    </Suspense>
  )
}

function PlainText({ text, isStreaming }: { text: string; isStreaming: boolean }) {
  return (
    <p
      dir="auto"
      translate={isStreaming ? 'no' : undefined}
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
