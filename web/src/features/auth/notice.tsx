import { Callout } from '../../components/ui/callout.tsx'

/** A message that comes while a form is shown, and is announced then. */
export const Notice = ({ text }: { text: string | undefined }) =>
  text !== undefined && <Callout variant="info">{text}</Callout>
