import { CalendarPage } from './calendar-page.tsx'

/** What came to the services lately. */
export default function NewPage() {
  return <CalendarPage changeType="new" name="new" />
}
