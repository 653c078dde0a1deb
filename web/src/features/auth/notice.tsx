import { Callout } from '../../components/ui/callout.tsx'

/** A message that comes while a form is shown. Its live region is there before, so that the message is announced. */
export const Notice = ({ text }: { text: string | undefined }) => (
  <div aria-live="polite" className="empty:absolute">
    {text !== undefined && <Callout variant="info">{text}</Callout>}
  </div>
)
