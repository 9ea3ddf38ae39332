# frozen_string_literal: true

require "sequel"

DB = Sequel.sqlite(ENV.fetch("SHELF_DB", "shelf.db"))

DB.create_table?(:users) do
  primary_key :id
  String :name, unique: true, null: false
  String :password, null: false
end

DB.create_table?(:albums) do
  primary_key :id
  foreign_key :user_id, :users
  String :title, null: false
  TrueClass :shared, default: false
end

DB.create_table?(:photos) do
  primary_key :id
  foreign_key :album_id, :albums
  String :path, null: false
end

class User < Sequel::Model
end

class Album < Sequel::Model
  one_to_many :photos

  def visible_to?(user)
    shared || user_id == user.id
  end

  def before_destroy
    photos.each do |photo|
      File.delete(photo.path) if File.file?(photo.path)
      photo.destroy
    end
    super
  end
end

class Photo < Sequel::Model
  many_to_one :album
end
