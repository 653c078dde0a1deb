import { Suspense, type ComponentType } from 'react'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { loadMarkdown } from './load-markdown.ts'
import { TextWithBold } from './reply-text.tsx'
import { splitFences } from './split-fences.ts'

/** A code block with its highlighting. If that cannot be loaded, the code is plain text. */
const SourceCode = lazyComponent(
  async (): Promise<{ SourceCode: ComponentType<{ code: string; language: string; isPlain: boolean }> }> =>
    loadMarkdown().catch(() => ({ SourceCode: PlainCode })),
  'SourceCode',
)

/** Code of a longer message has no colours. */
const maxColoured = 30_000
/** A message with more parts is shown as it was written: each block of code has buttons. */
const maxParts = 400
const PlainTextBlock = lazyComponent(loadMarkdown, 'PlainTextBlock', null, { silent: true })

/** The text of a user message: plain text, except that bold parts and fenced code are formatted. */
export function UserText({ text }: { text: string }) {
  const parts = splitFences(text)
  if (parts.length > maxParts) return <PlainTextBlock source={text} />
  return parts.map(({ text: part, language: name }, index) =>
    name === undefined ? (
      <TextWithBold key={index} text={part} />
    ) : (
      <div key={index} className="my-2 text-start first:mt-1 last:mb-1">
        <Suspense fallback={<PlainCode code={part} />}>
          <SourceCode code={part} language={name} isPlain={text.length > maxColoured} />
        </Suspense>
      </div>
    ),
  )
}

const PlainCode = ({ code }: { code: string }) => (
  <pre dir="ltr" className="overflow-x-auto font-mono text-sm">
    {code}
  </pre>
)
