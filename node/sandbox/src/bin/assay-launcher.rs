//! The launcher process on its own; see the crate `jail`.

fn main() {
    jail::launcher_main()
}
