import { Link } from '../../../lib/navigation/router.tsx'
import type { UsageRow } from './usage-columns.ts'

/** The name of a row, as a link to the page of its user. */
export const RowName = ({ row: { name, link } }: { row: UsageRow }) =>
  link === undefined ? (
    name
  ) : (
    <Link to={link} className="link" dir="auto">
      {name}
    </Link>
  )
