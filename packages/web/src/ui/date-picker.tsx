import "./date-picker.css";
import { type CalendarDate, type CalendarDateTime, parseDate, parseDateTime } from "@internationalized/date";
import { weekdayNames } from "@svc/core/identity/profile/region";
import { Calendar as CalendarIcon, ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, type Ref, useState } from "react";
import { Button } from "react-aria-components/Button";
import { Calendar, CalendarCell, CalendarGrid, Heading } from "react-aria-components/Calendar";
import { DateInput, DateSegment } from "react-aria-components/DateField";
import { Group, Label, DatePicker as Picker } from "react-aria-components/DatePicker";
import { Dialog } from "react-aria-components/Dialog";
import { I18nProvider } from "react-aria-components/I18nProvider";
import { Popover } from "react-aria-components/Popover";
import { fieldLocale, hourCycle, weekStart } from "../base/format.ts";
import { messages } from "./messages.ts";

export type DatePickerProps = {
  ref?: Ref<HTMLDivElement>;
  label: ReactNode;
  /** `YYYY-MM-DD`, or with `time` `YYYY-MM-DDTHH:MM[:SS]`; empty while the field is. */
  value: string;
  /** Called with a complete value, and with an empty one when all parts are empty. */
  onChange: (value: string) => void;
  /** The field has the time of day too. */
  time?: boolean | undefined;
  /** The name with which a form finds the field. */
  name?: string | undefined;
  required?: boolean | undefined;
  invalid?: boolean | undefined;
  /** The id of the element with the hint or error. */
  describedBy?: string | undefined;
};

/**
 * A field for a date, typed part by part in the user's date format or chosen from a calendar. The time has the user's
 * 12 or 24 hours.
 */
export function DatePicker({
  ref,
  label,
  value,
  onChange,
  time = false,
  name,
  required = false,
  invalid = false,
  describedBy,
}: DatePickerProps) {
  const [open, setOpen] = useState(false);
  return (
    <I18nProvider locale={fieldLocale()}>
      <Picker
        className="date-picker"
        data-name={name}
        {...(ref && { ref })}
        value={parsed(value, time)}
        onChange={(next) => onChange(next === null ? "" : formatted(next as CalendarDate | CalendarDateTime))}
        granularity={time ? "minute" : "day"}
        hourCycle={hourCycle()}
        firstDayOfWeek={weekdayNames[weekStart() - 1] ?? "mon"}
        isOpen={open}
        onOpenChange={setOpen}
        isRequired={required}
        isInvalid={invalid}
        validationBehavior="aria"
        shouldForceLeadingZeros
        shouldCloseOnSelect
        {...(describedBy !== undefined && { "aria-describedby": describedBy })}
      >
        <Label className="label">{label}</Label>
        <Group className="date-picker-box">
          <DateInput className="date-picker-input">
            {(segment) => <DateSegment segment={segment} className="date-picker-segment" />}
          </DateInput>
          <Button className="date-picker-open">
            <CalendarIcon />
          </Button>
        </Group>
        <Popover className="menu" placement="bottom end" offset={4}>
          <Dialog className="calendar-dialog">
            <Calendar className="calendar">
              <header>
                <Heading className="calendar-title" />
                <Button slot="previous" className="calendar-step">
                  <ChevronLeft />
                </Button>
                <Button slot="next" className="calendar-step">
                  <ChevronRight />
                </Button>
              </header>
              <CalendarGrid weekdayStyle="short">
                {(date) => <CalendarCell date={date} className="calendar-day" />}
              </CalendarGrid>
            </Calendar>
            {!required && value !== "" && (
              <button
                type="button"
                className="button calendar-clear"
                data-look="quiet"
                onClick={() => {
                  onChange("");
                  setOpen(false);
                }}
              >
                {messages.clear}
              </button>
            )}
          </Dialog>
        </Popover>
      </Picker>
    </I18nProvider>
  );
}

function parsed(value: string, time: boolean): CalendarDate | CalendarDateTime | null {
  try {
    return time ? parseDateTime(value) : parseDate(value);
  } catch {
    return null;
  }
}

/** Formats like `localTime`, without seconds that are zero, so that an unchanged value is the same text. */
function formatted(value: CalendarDate | CalendarDateTime): string {
  return value.toString().replace(/(T\d\d:\d\d):00$/, "$1");
}
