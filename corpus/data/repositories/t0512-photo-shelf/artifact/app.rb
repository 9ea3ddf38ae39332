# frozen_string_literal: true

require "bcrypt"
require "sinatra/base"

require_relative "lib/models"
require_relative "lib/importer"
require_relative "lib/thumbnail"

class PhotoShelf < Sinatra::Base
  set :session_secret, ENV.fetch("SHELF_SECRET")
  set :sessions, httponly: true, secure: true, same_site: :lax
  set :erb, escape_html: true
  enable :protection

  before do
    next if request.path_info == "/login"

    @user = User[session[:user]] if session[:user]
    redirect "/login" if @user.nil?
  end

  helpers do
    def own_album(id)
      album = Album[id.to_i]
      halt 404 if album.nil? || album.user_id != @user.id
      album
    end
  end

  get "/login" do
    erb :login
  end

  post "/login" do
    user = User.first(name: params["name"].to_s)
    halt 401 unless user && BCrypt::Password.new(user.password) == params["password"].to_s
    session.clear
    session[:user] = user.id
    redirect "/"
  end

  get "/" do
    @albums = Album.where(user_id: @user.id).or(shared: true).order(:title).all
    erb :index
  end

  post "/albums" do
    Album.create(title: params["title"].to_s, user_id: @user.id)
    redirect "/"
  end

  post "/albums/:id" do
    album = own_album(params["id"])
    params.except("id").each { |name, value| album[name.to_sym] = value }
    album.save
    redirect "/"
  end

  post "/albums/:id/import" do
    album = own_album(params["id"])
    Importer.new(album).from_url(params["url"].to_s)
    redirect "/"
  end

  post "/albums/:id/upload" do
    album = own_album(params["id"])
    Importer.new(album).from_upload(params["photo"])
    redirect "/"
  end

  get "/photos/:id/thumb" do
    photo = Photo[params["id"].to_i]
    halt 404 if photo.nil? || !photo.album.visible_to?(@user)
    content_type "image/jpeg"
    Thumbnail.new(photo.path).render(params["size"] || "320x320")
  end

  post "/albums/:id/delete" do
    album = Album[params["id"].to_i]
    halt 404 if album.nil?
    album.destroy
    redirect "/"
  end
end
