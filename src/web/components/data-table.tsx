/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- a table that is laid out as blocks loses its roles */
import type { ReactNode } from "react";
import classes from "./data-table.module.css";

export interface Column<Row> {
  /** Unique within the table. */
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** For numbers. */
  isRight?: boolean;
  /** For what is long and may be broken. */
  isWide?: boolean;
  /** The one that names the row: the head of its card on a phone. */
  isTitle?: boolean;
}

interface DataTableProps<Row> {
  /** What the table lists; said to those who do not see it. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
}

/** A table that becomes a list of cards on a phone. The roles stay what they are there, too. */
export function DataTable<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  return (
    <table className={classes.table} role="table">
      <caption className={classes.caption}>{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ key, header, isRight, isWide }) => (
            <th
              key={key}
              scope="col"
              role="columnheader"
              data-right={isRight || undefined}
              data-wide={isWide || undefined}
            >
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={rowKey(row)} role="row">
            {columns.map((column) => (
              <Cell key={column.key} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { header, cell, isRight, isWide, isTitle } = column;
  const content = (
    <>
      <span className={classes.label} aria-hidden>
        {header}
      </span>
      <span className={classes.value}>{cell(row)}</span>
    </>
  );
  return isTitle ? (
    <th scope="row" role="rowheader" data-title>
      {content}
    </th>
  ) : (
    <td role="cell" data-right={isRight || undefined} data-wide={isWide || undefined}>
      {content}
    </td>
  );
}
