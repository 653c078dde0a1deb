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
