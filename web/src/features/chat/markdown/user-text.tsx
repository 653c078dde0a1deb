import { Suspense, type ComponentType } from 'react'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { loadMarkdown } from './load-markdown.ts'
import { TextWithBold } from './reply-text.tsx'
import { splitFences } from './split-fences.ts'

/** A code block with its highlighting. If that cannot be loaded, the code is plain text. */
const SourceCode = lazyComponent(
  async (): Promise<{ SourceCode: ComponentType<{ code: string; language: string }> }> =>
    loadMarkdown().catch(() => ({ SourceCode: PlainCode })),
  'SourceCode',
)

/** The text of a user message: plain text, except that bold parts and fenced code are formatted. */
export function UserText({ text }: { text: string }) {
  return splitFences(text).map(({ text: part, language: name }, index) =>
    name === undefined ? (
      <TextWithBold key={index} text={part} />
    ) : (
      <div key={index} className="my-2 text-start first:mt-1 last:mb-1">
        <Suspense fallback={<PlainCode code={part} />}>
          <SourceCode code={part} language={name} />
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
